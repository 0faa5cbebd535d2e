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
/** A volume with more issues than this is cut: none has. */
const maxPages = 60;

export interface ComicVineParts {
  readonly id: string;
  readonly label: string;
  readonly client: ProviderClient;
  readonly answers: KeptAnswers;
  /** Whether there is a key to ask with. */
  readonly registered: () => boolean;
  /** Gets a key where that can be done without a person. */
  readonly register?: (() => Promise<void>) | undefined;
}

/** A source that speaks ComicVine's language: the original, and hosted ones that copy it. */
export function comicVineSource({ id, label, client, answers, registered, register }: ComicVineParts): MetadataSource {
  const one = async <S extends z.ZodType>(path: string, schema: S, field_list: string, options: AskOptions) => {
    const answer = await client.ask(path, { field_list }, options);
    return answer && understand(schema, answer.results);
  };
  const all = async (path: string, parameters: Record<string, string>, options: AskOptions) => {
    const found = [];
    for (let page = 0; page < maxPages; page += 1) {
      const answer = await client.ask(
        path,
        { ...parameters, limit: String(pageSize), offset: String(page * pageSize) },
        options,
      );
      const rows = understand(z.array(issueSchema), answer?.results ?? []);
      found.push(...rows);
      if (rows.length === 0 || found.length >= (answer?.number_of_total_results ?? 0)) break;
    }
    return found;
  };
  return {
    id,
    label,
    async searchVolumes(query, options) {
      const answer = await client.ask(
        "search/",
        { query, resources: "volume", field_list: searchFields, limit: "50" },
        options,
      );
      return understand(z.array(volumeSchema), answer?.results ?? []).map(toSummary);
    },
    async findVolume(volumeId, options) {
      const volume = await one(`volume/4050-${volumeId}/`, volumeSchema, volumeFields, options);
      if (!volume) return undefined;
      return toVolume(
        volume,
        await all(
          "issues/",
          { filter: `volume:${volumeId}`, sort: "cover_date:asc", field_list: issueListFields },
          options,
        ),
      );
    },
    async findIssue(issueId, options) {
      const issue = await one(`issue/4000-${issueId}/`, issueSchema, issueFields, options);
      return issue && toIssue(issue);
    },
    async searchArcs(query, options) {
      const answer = await client.ask(
        "search/",
        { query, resources: "story_arc", field_list: arcFields, limit: "50" },
        options,
      );
      return understand(z.array(arcSchema), answer?.results ?? []).map(toArcSummary);
    },
    async findArc(arcId, options) {
      const arc = await one(`story_arc/4045-${arcId}/`, arcSchema, arcFields, options);
      return arc && toArc(arc);
    },
    async listIssues(ids, options) {
      const found = [];
      const sorted = [...new Set(ids)].toSorted((one, other) => one - other);
      for (let start = 0; start < sorted.length; start += pageSize) {
        const filter = `id:${sorted.slice(start, start + pageSize).join("|")}`;
        found.push(
          ...(await all("issues/", { filter, sort: "id:asc", field_list: issueListFields }, options)).map(toReleased),
        );
      }
      return found;
    },
    async listReleases({ from, to }, options) {
      return (
        await all(
          "issues/",
          { filter: `store_date:${from}|${to}`, sort: "store_date:asc", field_list: issueListFields },
          options,
        )
      ).map(toReleased);
    },
    async test() {
      try {
        if (!registered()) await register?.();
        if (!registered()) return { ok: false, registered: false, message: "No key is set." };
        await client.ask(
          "search/",
          { query: "longbox", resources: "volume", field_list: "id,name", limit: "1" },
          { urgency: "person", fresh: true },
        );
        return { ok: true, registered: true, message: `${label} answers.` };
      } catch (fault) {
        return {
          ok: false,
          registered: registered(),
          message: isLongboxError(fault) ? fault.message : "The provider cannot be asked.",
        };
      }
    },
    countKept: () => answers.count(),
  };
}

/** @throws {ProviderFailure} when the answer has another shape than the protocol's */
function understand<S extends z.ZodType>(schema: S, results: unknown): z.output<S> {
  const parsed = schema.safeParse(results);
  if (!parsed.success)
    throw new ProviderFailure("The provider's answer has an unknown shape.", { cause: parsed.error });
  return parsed.data;
}
