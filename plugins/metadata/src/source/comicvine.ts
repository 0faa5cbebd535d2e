import { z } from "zod";
import { isLongboxError } from "@longbox/sdk";
import type { AskOptions, MetadataSource } from "../contract.js";
import { ProviderFailure } from "../upstream-errors.js";
import type { KeptAnswers } from "./answers.js";
import {
  arcFields,
  arcSchema,
  issueFields,
  issueListFields,
  issueSchema,
  searchFields,
  toArc,
  toArcSummary,
  toIssue,
  toReleased,
  toSummary,
  toVolume,
  volumeFields,
  volumeSchema,
} from "./comicvine-shapes.js";
import type { ProviderClient } from "./provider-client.js";

const pageSize = 100;
/** The maximum number of issues of a volume, above any real one. */
const maxPages = 60;

export interface ComicVineParts {
  readonly id: string;
  readonly label: string;
  readonly client: ProviderClient;
  readonly answers: KeptAnswers;
  /** Whether there is a key. */
  readonly registered: () => boolean;
  /** Gets a key where that is possible without the user. */
  readonly register?: (() => Promise<void>) | undefined;
}

/** A source with ComicVine's protocol: the original, and hosted ones with the same API. */
export function comicVineSource(parts: ComicVineParts): MetadataSource {
  const questions = new Questions(parts.client);
  return {
    id: parts.id,
    label: parts.label,
    libraryTypes: ["comic", "manga"],
    ...volumesOf(questions),
    ...arcsOf(questions),
    ...listsOf(questions),
    test: () => testOf(parts),
    countKept: () => parts.answers.count(),
  };
}

type Part<Names extends keyof MetadataSource> = Required<Pick<MetadataSource, Names>>;

interface Question<S extends z.ZodType> {
  readonly path: string;
  readonly schema: S;
  readonly fields: string;
}

interface ListParameters extends Record<string, string> {
  readonly filter: string;
  readonly sort: string;
}

/** Requests one resource, or all pages of a list, and parses the answers with their schemas. */
class Questions {
  constructor(private readonly client: ProviderClient) {}

  async one<S extends z.ZodType>(
    { path, schema, fields }: Question<S>,
    options: AskOptions,
  ): Promise<z.output<S> | undefined> {
    const answer = await this.client.ask(path, { field_list: fields }, options);
    return answer && understand(schema, answer.results);
  }

  async search<S extends z.ZodType>(
    { path: resources, schema, fields }: Question<S>,
    query: string,
    options: AskOptions,
  ): Promise<Array<z.output<S>>> {
    const answer = await this.client.ask("search/", { query, resources, field_list: fields, limit: "50" }, options);
    return understand(z.array(schema), answer?.results ?? []);
  }

  issues(parameters: ListParameters, options: AskOptions) {
    const question = { path: "issues/", schema: issueSchema, fields: issueListFields };
    return this.list(question, parameters, options);
  }

  async list<S extends z.ZodType>(
    { path, schema, fields }: Question<S>,
    parameters: ListParameters,
    options: AskOptions,
  ): Promise<Array<z.output<S>>> {
    const found: Array<z.output<S>> = [];
    const asked = { ...parameters, field_list: fields, limit: String(pageSize) };
    for (let page = 0; page < maxPages; page += 1) {
      const answer = await this.client.ask(path, { ...asked, offset: String(page * pageSize) }, options);
      const rows = understand(z.array(schema), answer?.results ?? []);
      found.push(...rows);
      if (rows.length === 0 || found.length >= (answer?.number_of_total_results ?? 0)) break;
    }
    return found;
  }
}

function volumesOf(questions: Questions): Part<"searchVolumes" | "findVolume" | "findIssue"> {
  return {
    async searchVolumes(query, options) {
      const question = { path: "volume", schema: volumeSchema, fields: searchFields };
      return (await questions.search(question, query, options)).map(toSummary);
    },
    async findVolume(volumeId, options) {
      const question = { path: `volume/4050-${volumeId}/`, schema: volumeSchema, fields: volumeFields };
      const volume = await questions.one(question, options);
      if (!volume) return undefined;
      return toVolume(
        volume,
        await questions.issues({ filter: `volume:${volumeId}`, sort: "cover_date:asc" }, options),
      );
    },
    async findIssue(issueId, options) {
      const question = { path: `issue/4000-${issueId}/`, schema: issueSchema, fields: issueFields };
      const issue = await questions.one(question, options);
      return issue && toIssue(issue);
    },
  };
}

function arcsOf(questions: Questions): Part<"searchArcs" | "findArc"> {
  return {
    async searchArcs(query, options) {
      const question = { path: "story_arc", schema: arcSchema, fields: arcFields };
      return (await questions.search(question, query, options)).map(toArcSummary);
    },
    async findArc(arcId, options) {
      const question = { path: `story_arc/4045-${arcId}/`, schema: arcSchema, fields: arcFields };
      const arc = await questions.one(question, options);
      return arc && toArc(arc);
    },
  };
}

function listsOf(questions: Questions): Part<"listIssues" | "listVolumes" | "listReleases"> {
  return {
    async listIssues(ids, options) {
      const found = [];
      for (const filter of idFilters(ids))
        found.push(...(await questions.issues({ filter, sort: "id:asc" }, options)).map(toReleased));
      return found;
    },
    async listVolumes(ids, options) {
      const question = { path: "volumes/", schema: volumeSchema, fields: searchFields };
      const found = [];
      for (const filter of idFilters(ids))
        found.push(...(await questions.list(question, { filter, sort: "id:asc" }, options)).map(toSummary));
      return found;
    },
    async listReleases({ from, to }, options) {
      const filter = `store_date:${from}|${to}`;
      return (await questions.issues({ filter, sort: "store_date:asc" }, options)).map(toReleased);
    },
  };
}

/** Filters that name all of these ids, a page of them each, in an order that makes the same question of the same ids. */
function* idFilters(ids: readonly number[]): Generator<string> {
  const sorted = [...new Set(ids)].toSorted((one, other) => one - other);
  for (let start = 0; start < sorted.length; start += pageSize)
    yield `id:${sorted.slice(start, start + pageSize).join("|")}`;
}

async function testOf({ client, label, registered, register }: ComicVineParts): ReturnType<MetadataSource["test"]> {
  try {
    if (!registered()) await register?.();
    if (!registered()) return { ok: false, registered: false, message: "No key is configured." };
    await client.ask(
      "search/",
      { query: "longbox", resources: "volume", field_list: "id,name", limit: "1" },
      { urgency: "person", fresh: true },
    );
    return { ok: true, registered: true, message: `${label} answers.` };
  } catch (fault) {
    const message = isLongboxError(fault) ? fault.message : "The provider cannot be asked.";
    return { ok: false, registered: registered(), message };
  }
}

/** @throws {ProviderFailure} when the answer does not match the protocol's schema */
function understand<S extends z.ZodType>(schema: S, results: unknown): z.output<S> {
  const parsed = schema.safeParse(results);
  if (!parsed.success)
    throw new ProviderFailure("The provider's answer has an unexpected format.", { cause: parsed.error });
  return parsed.data;
}
