import { NotFound } from "@longbox/sdk";
import { areAlike, hashWords, type HashWords } from "./alike.js";
import type { RepeatedPagesDatabase } from "./tables.js";

/** Hashes that are compared with each other: the most frequent ones come first. */
const mostHashes = 3000;
/** A picture is a question where it is in this many issues, of more than one series. */
const fewestIssues = 3;

export type PictureState = "open" | "hidden" | "kept";

/** A picture that is a page of several issues. */
export interface RepeatedPicture {
  /** Its most frequent hash, which names it. */
  readonly hash: string;
  /** All hashes of it: copies may be resized or compressed in other ways. */
  readonly hashes: readonly string[];
  readonly issues: number;
  readonly state: PictureState;
}

/** Where a picture is. */
export interface PicturePlace {
  readonly path: string;
  readonly page: number;
  readonly issueId: number;
}

interface Group {
  readonly hashes: string[];
  readonly words: HashWords;
  issues: number;
  readonly series: Set<number>;
}

interface HashCount {
  readonly hash: string;
  readonly issues: number;
  readonly firstSeries: number;
  readonly lastSeries: number;
}

/** Finds pictures that are pages of many issues. */
export class RepeatedPictures {
  constructor(private readonly database: RepeatedPagesDatabase) {}

  /** Those in most issues first. */
  async list(state: PictureState): Promise<RepeatedPicture[]> {
    const decided = await this.database.selectFrom("decided_picture").selectAll().execute();
    const decisions = decided.map((row) => ({ ...row, words: hashWords(row.hash) }));
    return groupsOf(await this.#counts())
      .map((group): RepeatedPicture & { readonly isRepeated: boolean } => {
        const decision = decisions.find(({ words }) => areAlike(words, group.words));
        const hash = decision?.hash ?? group.hashes[0]!;
        const isRepeated = group.issues >= fewestIssues && group.series.size > 1;
        return { hash, hashes: group.hashes, issues: group.issues, state: decision?.state ?? "open", isRepeated };
      })
      .filter((picture) => picture.state === state && (state !== "open" || picture.isRepeated))
      .toSorted((one, other) => other.issues - one.issues);
  }

  /** The hashes that name pictures which are in several files, the most frequent ones first. */
  async names(): Promise<string[]> {
    return groupsOf(await this.#counts()).map(({ hashes }) => hashes[0]!);
  }

  /** @throws {NotFound} `comics/no-such-picture` */
  async get(hash: string): Promise<RepeatedPicture> {
    for (const state of ["open", "hidden", "kept"] as const) {
      const found = (await this.list(state)).find((picture) => picture.hash === hash);
      if (found) return found;
    }
    throw new NotFound("comics/no-such-picture", "There is no such repeated page.", { hash });
  }

  /** Some places of a picture, by series and issue. */
  async places({ hashes }: RepeatedPicture, limit: number): Promise<PicturePlace[]> {
    const rows = await this.database
      .selectFrom("page_hash")
      .innerJoin("hashed_file", "hashed_file.path", "page_hash.path")
      .select(["page_hash.path", "page_hash.page", "hashed_file.issue_id as issueId"])
      .where("page_hash.hash", "in", [...hashes])
      .orderBy("hashed_file.series_id")
      .orderBy("hashed_file.issue_id")
      .limit(limit)
      .execute();
    return rows;
  }

  async #counts(): Promise<HashCount[]> {
    return await this.database
      .selectFrom("page_hash")
      .innerJoin("hashed_file", "hashed_file.path", "page_hash.path")
      .select(({ fn }) => [
        "page_hash.hash",
        fn.count<number>("hashed_file.issue_id").distinct().as("issues"),
        fn.min<number>("hashed_file.series_id").as("firstSeries"),
        fn.max<number>("hashed_file.series_id").as("lastSeries"),
      ])
      .groupBy("page_hash.hash")
      .having(({ fn }) => fn.countAll<number>(), ">", 1)
      .orderBy("issues", "desc")
      .orderBy("page_hash.hash")
      .limit(mostHashes)
      .execute();
  }
}

function groupsOf(counts: readonly HashCount[]): Group[] {
  const groups: Group[] = [];
  for (const { hash, issues, firstSeries, lastSeries } of counts) {
    const words = hashWords(hash);
    let group = groups.find((known) => areAlike(known.words, words));
    if (!group) groups.push((group = { hashes: [], words, issues: 0, series: new Set() }));
    group.hashes.push(hash);
    group.issues += issues;
    group.series.add(firstSeries).add(lastSeries);
  }
  return groups;
}
