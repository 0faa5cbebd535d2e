import type { CollectionContract, ListedSeriesFacet } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import { UnknownFacet } from "../errors.js";
import type { FacetChoice, Question, SeriesChoice } from "../thread/protocol.js";
import { isFacet, selectionFacet } from "./facets.js";
import { signed, type ChosenValues } from "./selection.js";

/** Makes questions for the index of what a viewer chose. */
export class Questions {
  constructor(private readonly library: CollectionContract) {}

  /** @throws {UnknownFacet} @throws {BadInput} for a value that a contributed facet cannot use */
  async make({ values, q }: ChosenValues, viewer: Viewer): Promise<Question> {
    const choices: FacetChoice[] = [];
    const contributed: Array<readonly [name: string, values: readonly string[]]> = [];
    for (const [name, given] of Object.entries(values)) {
      if (isFacet(name)) choices.push({ facet: name, ...signed(given) });
      else contributed.push([name, given]);
    }
    return {
      userId: viewer.user.id,
      seesRestricted: viewer.seesRestricted,
      choices,
      series: contributed.length === 0 ? [] : await this.#resolve(contributed, viewer),
      text: q.trim(),
    };
  }

  /** Facets of other plugins; one that is called as one of the index's own is not offered. */
  async contributed(viewer: Viewer): Promise<readonly ListedSeriesFacet[]> {
    const listed = await this.library.listSeriesFacets(viewer);
    return listed.filter(({ name }) => !isFacet(name) && name !== selectionFacet);
  }

  async #resolve(
    chosen: ReadonlyArray<readonly [name: string, values: readonly string[]]>,
    viewer: Viewer,
  ): Promise<SeriesChoice[]> {
    const known = new Set((await this.contributed(viewer)).map(({ name }) => name));
    const unknown = chosen.find(([name]) => !known.has(name));
    if (unknown) throw new UnknownFacet(unknown[0]);
    return await Promise.all(
      chosen.map(async ([facet, values]) => {
        const { include, exclude } = signed(values);
        const seriesOf = (some: readonly string[]) =>
          Promise.all(some.map((value) => this.library.findSeriesByFacet(facet, value, viewer)));
        return { facet, include: await seriesOf(include), exclude: await seriesOf(exclude) };
      }),
    );
  }
}
