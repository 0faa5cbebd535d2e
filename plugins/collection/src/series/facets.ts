import type { Contributions, Viewer } from "@longbox/sdk";
import { badField } from "../errors.js";
import type { ListedSeriesFacet, SeriesFacet } from "../contract.js";

/** Filters lists by facets of other plugins. */
export class Facets {
  readonly #facets: Contributions<SeriesFacet>;

  constructor(facets: Contributions<SeriesFacet>) {
    this.#facets = facets;
  }

  /** @param json - An object of facet names and values, such as `{"author":"Ada Quill"}` */
  async resolve(json: string, viewer: Viewer): Promise<number[]> {
    let chosen: number[] | undefined;
    for (const [name, value] of Object.entries(parse(json))) {
      const ids = new Set(await this.findSeries(name, value, viewer));
      chosen = chosen ? chosen.filter((id) => ids.has(id)) : [...ids];
    }
    if (!chosen) throw badField("facet", "must name at least one facet");
    return chosen;
  }

  /** @throws {BadInput} when there is no such facet, or its value cannot be used */
  async findSeries(name: string, value: unknown, viewer: Viewer): Promise<readonly number[]> {
    const facet = this.#facets.all().find((candidate) => candidate.name === name);
    if (!facet) throw badField("facet", `there is no facet ${JSON.stringify(name)}`);
    return await facet.findSeries(value, viewer);
  }

  async list(viewer: Viewer): Promise<ListedSeriesFacet[]> {
    return await Promise.all(
      this.#facets.all().map(async (facet) => ({
        name: facet.name,
        label: facet.label ?? facet.name,
        values: (await facet.listValues?.(viewer)) ?? [],
      })),
    );
  }
}

function parse(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // The error below applies as well.
  }
  throw badField("facet", "must be a JSON object");
}
