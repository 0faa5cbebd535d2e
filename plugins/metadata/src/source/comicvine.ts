import { isLongboxError } from "@longbox/sdk";
import type { AskOptions, MetadataSource } from "../contract.js";
import { ProviderFailure } from "../upstream-errors.js";
import type { KeptAnswers } from "./answers.js";
import { arcFields, issueFields, issueListFields, searchFields, volumeFields } from "./comicvine-fields.js";
import type { ProviderClient } from "./provider-client.js";
import type { Shaping } from "./shaping.js";

const pageSize = 100;
/** Of one answer. Some providers send larger pages than they were asked for. */
const mostRows = 1_000;
/** The maximum number of issues of a volume, above any real one. */
const maxPages = 60;

export interface ComicVineParts {
  readonly id: string;
  readonly label: string;
  readonly client: ProviderClient;
  readonly answers: KeptAnswers;
  readonly shaping: Shaping;
  /** Whether there is a key. */
  readonly registered: () => boolean;
  /** Gets a key where that is possible without the user. */
  readonly register?: (() => Promise<void>) | undefined;
}

/** A source with ComicVine's protocol: the original, and hosted ones with the same API. */
export function comicVineSource(parts: ComicVineParts): MetadataSource {
  const asking = { questions: new Questions(parts.client), shaping: parts.shaping };
  return {
    id: parts.id,
    label: parts.label,
    libraryTypes: ["comic", "manga"],
    ...volumesOf(asking),
    ...arcsOf(asking),
    ...listsOf(asking),
    test: () => testOf(parts),
    countKept: () => parts.answers.count(),
  };
}

type Part<Names extends keyof MetadataSource> = Required<Pick<MetadataSource, Names>>;

interface Question {
  readonly path: string;
  readonly fields: string;
}

interface ListParameters extends Record<string, string> {
  readonly filter: string;
  readonly sort: string;
}

interface Asking {
  readonly questions: Questions;
  readonly shaping: Shaping;
}

/** Requests the results of one resource, or of all pages of a list. They are not checked yet. */
class Questions {
  constructor(private readonly client: ProviderClient) {}

  /** @returns undefined when the provider has no such thing */
  async one({ path, fields }: Question, options: AskOptions): Promise<unknown> {
    return (await this.client.ask(path, { field_list: fields }, options))?.results;
  }

  async search({ path: resources, fields }: Question, query: string, options: AskOptions): Promise<unknown[]> {
    const answer = await this.client.ask("search/", { query, resources, field_list: fields, limit: "50" }, options);
    return rowsOf(answer?.results);
  }

  issues(parameters: ListParameters, options: AskOptions): Promise<unknown[]> {
    return this.list({ path: "issues/", fields: issueListFields }, parameters, options);
  }

  async list({ path, fields }: Question, parameters: ListParameters, options: AskOptions): Promise<unknown[]> {
    const found: unknown[] = [];
    const asked = { ...parameters, field_list: fields, limit: String(pageSize) };
    for (let page = 0; page < maxPages; page += 1) {
      const answer = await this.client.ask(path, { ...asked, offset: String(page * pageSize) }, options);
      const rows = rowsOf(answer?.results);
      found.push(...rows);
      if (rows.length === 0 || found.length >= (answer?.number_of_total_results ?? 0)) break;
    }
    return found;
  }
}

/** @throws {ProviderFailure} when the results are no list */
function rowsOf(results: unknown): unknown[] {
  if (results === undefined || results === null) return [];
  if (!Array.isArray(results)) throw new ProviderFailure("The provider's answer has an unexpected format.");
  return results.slice(0, mostRows);
}

function volumesOf({ questions, shaping }: Asking): Part<"searchVolumes" | "findVolume" | "findIssue"> {
  return {
    async searchVolumes(query, options) {
      const found = await questions.search({ path: "volume", fields: searchFields }, query, options);
      return await shaping.run("volumeSummaries", found, options.signal);
    },
    async findVolume(volumeId, options) {
      const volume = await questions.one({ path: `volume/4050-${volumeId}/`, fields: volumeFields }, options);
      if (volume === undefined) return undefined;
      const issues = await questions.issues({ filter: `volume:${volumeId}`, sort: "cover_date:asc" }, options);
      return await shaping.run("volume", { volume, issues }, options.signal);
    },
    async findIssue(issueId, options) {
      const issue = await questions.one({ path: `issue/4000-${issueId}/`, fields: issueFields }, options);
      return issue === undefined ? undefined : await shaping.run("issue", issue, options.signal);
    },
  };
}

function arcsOf({ questions, shaping }: Asking): Part<"searchArcs" | "findArc"> {
  return {
    async searchArcs(query, options) {
      const found = await questions.search({ path: "story_arc", fields: arcFields }, query, options);
      return await shaping.run("arcSummaries", found, options.signal);
    },
    async findArc(arcId, options) {
      const arc = await questions.one({ path: `story_arc/4045-${arcId}/`, fields: arcFields }, options);
      return arc === undefined ? undefined : await shaping.run("arc", arc, options.signal);
    },
  };
}

function listsOf({ questions, shaping }: Asking): Part<"listIssues" | "listVolumes" | "listReleases"> {
  return {
    async listIssues(ids, options) {
      const found = [];
      for (const filter of idFilters(ids))
        found.push(
          ...(await shaping.run(
            "releases",
            await questions.issues({ filter, sort: "id:asc" }, options),
            options.signal,
          )),
        );
      return found;
    },
    async listVolumes(ids, options) {
      const found = [];
      for (const filter of idFilters(ids)) {
        const question = { path: "volumes/", fields: searchFields };
        const rows = await questions.list(question, { filter, sort: "id:asc" }, options);
        found.push(...(await shaping.run("volumeSummaries", rows, options.signal)));
      }
      return found;
    },
    async listReleases({ from, to }, options) {
      const filter = `store_date:${from}|${to}`;
      const found = await questions.issues({ filter, sort: "store_date:asc" }, options);
      return await shaping.run("releases", found, options.signal);
    },
  };
}

/**
 * Filters that name all of these ids, a page of them each, in an order that makes the same question of the same ids.
 */
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
