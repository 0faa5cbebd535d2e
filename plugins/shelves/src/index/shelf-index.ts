import type { FacetName } from "../browsing/facets.js";
import { Bits } from "../columns/bits.js";
import { Finder } from "../finding/finder.js";
import { Names } from "../names/names.js";
import type { IndexedIssue, IndexTasks, Question, Sort } from "../thread/protocol.js";
import { BaseCounts } from "./base-counts.js";
import { countAuthors, countFacets } from "./counting.js";
import { Documents } from "./documents.js";
import { KeptAnswers } from "./kept-answers.js";
import { documentsOfSeries, Selection, type IndexParts } from "./matching.js";
import { Orders, type OrderName, type Range } from "./orders.js";
import { DamagedSnapshot, readSnapshot, removeSnapshot, writeSnapshot } from "./snapshot.js";
import { suggest } from "./suggesting.js";
import { UserStates } from "./user-states.js";

type Input<Task extends keyof IndexTasks> = IndexTasks[Task]["input"];
type Output<Task extends keyof IndexTasks> = IndexTasks[Task]["output"];

/** A walk through the whole collection: what it finds, of the documents that were there when it began. */
interface Walk {
  readonly found: Bits;
}

/** The index: everything that the thread holds, and every question that it answers. */
export class ShelfIndex {
  #documents = new Documents();
  #finder = new Finder();
  #names: Names;
  #orders: Orders;
  #builtAt: string | undefined;
  #walk: Walk | undefined;
  #bases = new BaseCounts();
  readonly #users = new UserStates();
  readonly #kept = new KeptAnswers<Output<"facets">>();
  readonly #suggested = new KeptAnswers<Output<"similar">>();

  private constructor(names: Names) {
    this.#names = names;
    this.#orders = new Orders(this.#documents, names);
  }

  static async open(): Promise<ShelfIndex> {
    return new ShelfIndex(await Names.open());
  }

  status(): Output<"status"> {
    const ready = this.#builtAt !== undefined;
    return { ready, size: ready ? this.#documents.size : 0, builtAt: this.#builtAt };
  }

  /** Reads the snapshot; one that is damaged is removed. */
  async restore({ file }: Input<"restore">): Promise<Output<"restore">> {
    try {
      const snapshot = readSnapshot(file);
      if (!snapshot) return { ...this.status(), damaged: false };
      const names = await Names.open(snapshot.names);
      this.#names.close();
      this.#replace(new Documents(snapshot.documents), names);
      this.#finder = new Finder(snapshot.findable);
      this.#builtAt = snapshot.builtAt;
      return { ...this.status(), damaged: false };
    } catch (fault) {
      if (!(fault instanceof DamagedSnapshot)) throw fault;
      removeSnapshot(file);
      return { ...this.status(), damaged: true };
    }
  }

  /** Writes the snapshot. Nothing is written before the index was built, or while it is walked through. */
  save({ file }: Input<"save">): Output<"save"> {
    if (this.#builtAt === undefined || this.#walk) return { bytes: 0, size: 0 };
    if (this.#documents.size < this.#documents.count) this.#replace(this.#documents.compacted(), this.#names);
    const documents = this.#documents.stored();
    const [names, findable] = [this.#names.export(), this.#finder.stored()];
    const { bytes } = writeSnapshot(file, { builtAt: this.#builtAt, documents, names, findable });
    return { bytes, size: this.#documents.size };
  }

  put(issues: Input<"put">): void {
    this.#names.together(() => {
      for (const issue of issues) this.#put(issue);
    });
    this.#finder.follow(this.#names);
    this.#changed();
  }

  putSeries({ seriesIds, issues }: Input<"putSeries">): void {
    const documents = this.#documents;
    const kept = this.#names.together(() => new Set(issues.map((issue) => this.#put(issue))));
    this.#finder.follow(this.#names);
    documentsOfSeries(documents, new Set(seriesIds)).forEach((document) => {
      if (!kept.has(document)) documents.remove(document);
    });
    this.#changed();
  }

  beginWalk(): void {
    this.#walk = { found: new Bits(this.#documents.count) };
  }

  endWalk({ builtAt }: Input<"endWalk">): Output<"endWalk"> {
    const documents = this.#documents;
    const { found } = this.#walk ?? { found: new Bits(0) };
    this.#walk = undefined;
    for (let document = 0; document < found.size; document++) if (!found.has(document)) documents.remove(document);
    this.#builtAt = builtAt;
    if (documents.isWasteful) this.#replace(documents.compacted(), this.#names);
    this.#orders.prepare();
    this.#changed();
    return this.status();
  }

  /** A walk that was given up: what it did not find stays. */
  giveUpWalk(): void {
    this.#walk = undefined;
  }

  states({ userId, states, replaces }: Input<"states">): void {
    this.#users.put(userId, states, replaces);
    this.#changed();
  }

  forgetUsers({ userIds }: Input<"forgetUsers">): void {
    for (const userId of userIds) this.#users.forget(userId);
    this.#changed();
  }

  items({ question, sort, ...range }: Input<"items">): Output<"items"> {
    if (!this.status().ready) return { ids: [], total: 0 };
    const within = this.#select(question).all();
    const documents = this.#sorted(within, { sort, userId: question.userId }, range);
    return { ids: documents.map((document) => this.#documents.plain.ids.at(document)), total: within.count() };
  }

  series({ question }: Input<"series">): Output<"series"> {
    if (!this.status().ready) return [];
    const { series } = this.#documents.plain;
    const found = new Set<number>();
    this.#select(question)
      .all()
      .forEach((document) => found.add(series.at(document)));
    return [...found];
  }

  facets(asked: Input<"facets">): Output<"facets"> {
    if (this.status().size === 0) return {};
    return this.#kept.get(asked, () => countFacets(this.#parts(), this.#select(asked.question), asked));
  }

  countSeries({ question, but, lists }: Input<"countSeries">): Output<"countSeries"> {
    if (!this.status().ready) return lists.map(() => 0);
    const within = this.#select(question).all(but);
    return lists.map((seriesIds) => documentsOfSeries(this.#documents, new Set(seriesIds)).and(within).count());
  }

  names({ question, ...asked }: Input<"names">): Output<"names"> {
    return this.status().ready ? countAuthors(this.#parts(), this.#select(question), asked) : [];
  }

  find(asked: Input<"find">): Output<"find"> {
    if (!this.status().ready) return [];
    const { seesRestricted } = asked;
    const all = this.#select({ userId: 0, seesRestricted, choices: [], series: [], text: "" });
    const countsOf = (kind: FacetName) => all.count(kind, all.all());
    return this.#finder.find({ documents: this.#documents, names: this.#names, countsOf }, asked);
  }

  /** One issue of the selection. @param at - 0 to 1 */
  pick({ question, at }: Input<"pick">): Output<"pick"> {
    if (!this.status().ready) return undefined;
    const within = this.#select(question).all();
    const place = Math.floor(within.count() * at);
    let passed = 0;
    let picked: number | undefined;
    within.forEach((document) => {
      if (passed++ === place) picked = this.#documents.plain.ids.at(document);
    });
    return picked;
  }

  similar(asked: Input<"similar">): Output<"similar"> {
    const { question, issueId, limit } = asked;
    const seed = this.#documents.find(issueId);
    if (seed === undefined || !this.status().ready) return [];
    const { userId } = question;
    return this.#suggested.get(asked, () => suggest(this.#parts(), this.#select(question), { seed, userId, limit }));
  }

  #sorted(within: Bits, { sort, userId }: { sort: Sort; userId: number }, range: Range): readonly number[] {
    const descending = sort.startsWith("-") !== (sort === "added" || sort === "-added");
    if (sort !== "rating" && sort !== "read")
      return this.#orders.page(within, { name: sort.replace("-", "") as OrderName, descending }, range);
    const columns = this.#users.columnsOf(userId, this.#documents);
    const scores = sort === "rating" ? columns.rating.values : columns.readAt;
    const first = [...scores].filter(([document]) => within.has(document)).sort(([, one], [, other]) => other - one);
    const some = first.slice(range.offset, range.offset + range.limit).map(([document]) => document);
    const rest = within.grown(within.size);
    for (const [document] of first) rest.remove(document);
    const left = { offset: Math.max(0, range.offset - first.length), limit: range.limit - some.length };
    return [...some, ...this.#orders.page(rest, { name: "title", descending: false }, left)];
  }

  #put(issue: IndexedIssue): number {
    const document = this.#documents.put(issue, { names: this.#names, finder: this.#finder });
    const found = this.#walk?.found;
    if (found && document < found.size) found.add(document);
    return document;
  }

  #select(question: Question): Selection {
    return new Selection(this.#parts(), question);
  }

  #parts(): IndexParts {
    return { documents: this.#documents, names: this.#names, users: this.#users, bases: this.#bases };
  }

  #replace(documents: Documents, names: Names): void {
    documents.generation = this.#documents.generation + 1;
    this.#documents = documents;
    this.#names = names;
    this.#orders = new Orders(documents, names);
    this.#bases = new BaseCounts();
  }

  #changed(): void {
    this.#kept.clear();
    this.#suggested.clear();
  }
}
