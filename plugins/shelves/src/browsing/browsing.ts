import type { CollectionContract, Issue, ListedSeriesFacet } from "@longbox/collection/contract";
import type { ReadingContract, ReadingState } from "@longbox/reading/contract";
import type { OptionalCapability, Viewer } from "@longbox/sdk";
import type { ReaderStates } from "../filling/reader-states.js";
import type { RatingRecords } from "../ratings/rating-records.js";
import type { IndexThread } from "../thread/index-thread.js";
import type { CountedName, Question, Sort } from "../thread/protocol.js";
import { facetLabels, isFacet, type FacetName } from "./facets.js";
import { labelsFor } from "./labelling.js";
import { Questions } from "./questions.js";
import { escaped, signed, type ChosenValues } from "./selection.js";

export interface BrowsingParts {
  readonly thread: IndexThread;
  readonly library: CollectionContract;
  readonly states: ReaderStates;
  readonly reading: OptionalCapability<ReadingContract>;
  readonly ratings: RatingRecords;
}

/** An issue as a shelf shows it to one viewer. */
export interface ShelfItem {
  readonly issue: Issue;
  readonly state: ReadingState | undefined;
  readonly stars: number;
}

export interface ShownFacet {
  readonly name: string;
  readonly label: string;
  readonly values: readonly ShownValue[];
}

export interface ShownValue {
  readonly value: string;
  readonly label: string;
  readonly count: number;
  readonly selected: boolean;
  readonly excluded: boolean;
}

/** How many values of a contributed facet are counted. */
const mostContributedValues = 200;

/** Answers what viewers ask: the index says which issues, the collection says what they are to that viewer. */
export class Browsing {
  readonly #parts: BrowsingParts;
  readonly questions: Questions;

  constructor(parts: BrowsingParts) {
    this.#parts = parts;
    this.questions = new Questions(parts.library);
  }

  async items(
    chosen: ChosenValues,
    range: { readonly sort: Sort; readonly offset: number; readonly limit: number },
    viewer: Viewer,
  ): Promise<{ readonly items: readonly ShelfItem[]; readonly total: number }> {
    const { ids, total } = await this.ids(chosen, range, viewer);
    return { items: await this.shown(ids, viewer), total };
  }

  /** The same without what they are; the internal ids of issues. */
  async ids(
    chosen: ChosenValues,
    range: { readonly sort: Sort; readonly offset: number; readonly limit: number },
    viewer: Viewer,
  ): Promise<{ readonly ids: readonly number[]; readonly total: number }> {
    const question = await this.#ask(chosen, viewer);
    return await this.#parts.thread.run("items", { question, ...range });
  }

  /** The series that have an issue of the selection. */
  async seriesIds(chosen: ChosenValues, viewer: Viewer): Promise<readonly number[]> {
    const question = await this.#ask(chosen, viewer);
    return await this.#parts.thread.run("series", { question });
  }

  /** How many issues this viewer can browse; 0 as long as the index was never built. */
  async size(viewer: Viewer): Promise<number> {
    const question = await this.questions.make({ values: {}, q: "" }, viewer);
    return (await this.#parts.thread.run("items", { question, sort: "title", offset: 0, limit: 0 })).total;
  }

  async facets(
    chosen: ChosenValues,
    asked: { readonly limit: number; readonly only: readonly string[]; readonly find: string },
    viewer: Viewer,
  ): Promise<readonly ShownFacet[]> {
    const question = await this.#ask(chosen, viewer);
    const isAsked = (name: string) => asked.only.length === 0 || asked.only.includes(name);
    const only = asked.only.length === 0 ? undefined : asked.only.filter(isFacet);
    const [counted, labels] = await Promise.all([
      this.#parts.thread.run("facets", { question, limit: asked.limit, find: asked.find, only }),
      labelsFor(this.#parts.library, viewer),
    ]);
    const own = (Object.keys(counted) as FacetName[]).map((name) => ({
      name,
      label: facetLabels[name],
      values: (counted[name] ?? []).map((value) => ({
        ...value,
        value: escaped(value.value),
        label: value.count === 0 ? value.label : labels(name, value.value),
      })),
    }));
    if (own.length === 0 && only === undefined) return [];
    const contributed = (await this.questions.contributed(viewer)).filter(({ name }) => isAsked(name));
    return [...own, ...(await Promise.all(contributed.map((facet) => this.#contributed(facet, { question, chosen }))))];
  }

  async authors(
    chosen: ChosenValues,
    asked: { readonly letter: string | undefined; readonly text: string },
    viewer: Viewer,
  ): Promise<readonly CountedName[]> {
    const question = await this.#ask(chosen, viewer);
    return await this.#parts.thread.run("names", { question, ...asked });
  }

  /** One of the selection by chance. @param at - 0 to 1 */
  async pick(chosen: ChosenValues, at: number, viewer: Viewer): Promise<ShelfItem | undefined> {
    const question = await this.#ask(chosen, viewer);
    const id = await this.#parts.thread.run("pick", { question, at });
    return id === undefined ? undefined : (await this.shown([id], viewer))[0];
  }

  /** Issues in this order as the viewer knows them; hidden ones are left out. */
  async shown(ids: readonly number[], viewer: Viewer): Promise<ShelfItem[]> {
    if (ids.length === 0) return [];
    const { library, reading, ratings } = this.#parts;
    const [issues, states, stars] = await Promise.all([
      library.findIssues(ids, viewer),
      reading.available() ? reading.use.find(viewer, ids) : [],
      ratings.find(viewer.user.id, ids),
    ]);
    const byId = new Map(issues.map((issue) => [issue.id, issue]));
    const stateOf = new Map(states.map((state) => [state.issueId, state]));
    return ids.flatMap((id) => {
      const issue = byId.get(id);
      return issue ? [{ issue, state: stateOf.get(id), stars: stars.get(id) ?? 0 }] : [];
    });
  }

  async #ask(chosen: ChosenValues, viewer: Viewer): Promise<Question> {
    const question = await this.questions.make(chosen, viewer);
    await this.#parts.states.ensure(viewer);
    return question;
  }

  async #contributed(
    facet: ListedSeriesFacet,
    { question, chosen }: { readonly question: Question; readonly chosen: ChosenValues },
  ): Promise<ShownFacet> {
    const { include, exclude } = signed(chosen.values[facet.name] ?? []);
    const offered = facet.values.slice(0, mostContributedValues);
    const counts = await this.#parts.thread.run("countSeries", {
      question,
      but: facet.name,
      lists: offered.map(({ seriesIds }) => seriesIds),
    });
    const values = offered.map(({ value, label }, at) => ({
      value: escaped(value),
      label,
      count: counts[at] ?? 0,
      selected: include.includes(value),
      excluded: exclude.includes(value),
    }));
    const shown = values.filter(({ count, selected, excluded }) => count > 0 || selected || excluded);
    return { name: facet.name, label: facet.label, values: shown.sort((one, other) => other.count - one.count) };
  }
}
