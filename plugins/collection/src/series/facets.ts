import type { Contributions, Viewer } from "@longbox/sdk";
import { badField } from "../errors.js";
import type { ListedSeriesFacet, SeriesFacet } from "../contract.js";

/** The series that facets chose: only these, or all owned ones except these. */
export interface ChosenSeries {
  readonly among: readonly number[] | undefined;
  readonly except: readonly number[] | undefined;
}

/** Filters lists by facets of other plugins. */
export class Facets {
  readonly #facets: Contributions<SeriesFacet>;

  constructor(facets: Contributions<SeriesFacet>) {
    this.#facets = facets;
  }

  /** @param json - An object of facet names and values, such as `{"author":"Ada Quill"}` */
  async resolve(json: string, viewer: Viewer): Promise<ChosenSeries> {
    let among: readonly number[] | undefined;
    const except: number[][] = [];
    for (const [name, value] of Object.entries(parse(json))) {
      const facet = this.#find(name);
      const others = await facet.findOthers?.(value, viewer);
      if (others) except.push([...others]);
      else among = common(among, await facet.findSeries(value, viewer));
    }
    if (!among && except.length === 0) throw badField("facet", "must name at least one facet");
    return { among, except: except.length === 0 ? undefined : [...new Set(except.flat())] };
  }

  /** @throws {BadInput} when there is no such facet, or its value cannot be used */
  async findSeries(name: string, value: unknown, viewer: Viewer): Promise<readonly number[]> {
    return await this.#find(name).findSeries(value, viewer);
  }

  #find(name: string): SeriesFacet {
    const facet = this.#facets.all().find((candidate) => candidate.name === name);
    if (!facet) throw badField("facet", `there is no facet ${JSON.stringify(name)}`);
    return facet;
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

function common(one: readonly number[] | undefined, other: readonly number[]): readonly number[] {
  if (!one) return other;
  const ids = new Set(other);
  return one.filter((id) => ids.has(id));
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
