import { foldTitle, inBatches } from "@longbox/sdk";
import type { ProviderIssue, ProviderVolume } from "./catalog-contract.js";
import { gatherAnnuals } from "./gathering-annuals.js";
import { recountSeries } from "../counting/counters.js";
import { kindOfSeries, numberWithin, parseIssueNumber, type IssueNumber } from "../issues/issue-number.js";
import { keepIssueEdits } from "../issues/issue-editing.js";
import { titleWords } from "../issues/issue-titles.js";
import { mergeIssue, moveIssue, type IssueMerge } from "../issues/merging.js";
import type { SearchIndex } from "../searching/search-index.js";
import { reserveIds, type CollectionTransaction, type IssueTable } from "../tables.js";
import { lockedIn } from "../series/lockable-fields.js";
import { titleOrder } from "../series/title-order.js";

export interface WrittenVolume {
  readonly merges: readonly IssueMerge[];
  /** Every series whose issues changed. */
  readonly seriesIds: readonly number[];
}

interface Listed {
  readonly issue: ProviderIssue;
  readonly number: IssueNumber;
}
type Known = Pick<IssueTable, "id" | "series_id" | "cv_issue_id" | "sort_key">;
type Own = Pick<IssueTable, "number" | "kind" | "sort_key">;
interface KnownToProvider extends Known {
  readonly series_hidden: number;
}

/** Writes a provider's metadata of a volume into a series. The issues keep their internal ids and their files. */
export class VolumeWriting {
  readonly #transaction: CollectionTransaction;
  readonly #search: SearchIndex;
  readonly #merges: IssueMerge[] = [];
  readonly #touched = new Set<number>();

  constructor(transaction: CollectionTransaction, search: SearchIndex) {
    this.#transaction = transaction;
    this.#search = search;
  }

  async write(seriesId: number, volume: ProviderVolume): Promise<WrittenVolume> {
    this.#touched.add(seriesId);
    await this.#writeSeries(seriesId, volume);
    await this.#unlist(seriesId, volume);
    const numbered = (issue: ProviderIssue) => numberWithin(volume.title, parseIssueNumber(issue.number, issue.kind));
    const listed = new Map(volume.issues.map((issue) => [issue.cvIssueId, { issue, number: numbered(issue) }]));
    await this.#writeIssues({ seriesId, title: volume.title }, [...listed.values()]);
    const annuals = await gatherAnnuals(this.#transaction, seriesId);
    this.#merges.push(...annuals.merges);
    for (const id of annuals.seriesIds) this.#touched.add(id);
    await recountSeries(this.#transaction, [...this.#touched]);
    await this.#search.refresh(this.#transaction, [seriesId]);
    return { merges: this.#merges, seriesIds: [...this.#touched] };
  }

  /**
   * The former title stays as an alias, so that what people searched for before still finds the series. What a person
   * wrote is kept; then the volume's title is the alias.
   */
  async #writeSeries(seriesId: number, volume: ProviderVolume): Promise<void> {
    const before = await this.#transaction
      .selectFrom("series")
      .select(["title", "aliases", "publisher", "year", "description", "locked"])
      .where("id", "=", seriesId)
      .executeTakeFirstOrThrow();
    const locked = lockedIn(before);
    const title = locked.has("title") ? before.title : volume.title;
    const aliases = new Set([
      ...(JSON.parse(before.aliases) as string[]),
      ...[before.title, volume.title].filter((name) => foldTitle(name) !== foldTitle(title)),
      ...volume.aliases,
    ]);
    await this.#transaction
      .updateTable("series")
      .set({
        cv_id: volume.cvId,
        title,
        title_key: foldTitle(title),
        title_order: titleOrder(foldTitle(title)),
        aliases: JSON.stringify([...aliases]),
        publisher: locked.has("publisher") ? before.publisher : (volume.publisher ?? before.publisher),
        year: locked.has("year") ? before.year : (volume.year ?? before.year),
        description: locked.has("description") ? before.description : (volume.description ?? null),
        url: volume.url ?? null,
        status: volume.status,
        origin: "provider",
        refreshed_at: new Date().toISOString(),
      })
      .where("id", "=", seriesId)
      .execute();
  }

  /** Issues that the provider no longer lists are kept only if a file or a pick refers to them. */
  async #unlist(seriesId: number, volume: ProviderVolume): Promise<void> {
    const listed = new Set(volume.issues.map((issue) => issue.cvIssueId));
    const known = await this.#transaction
      .selectFrom("issue")
      .select(["id", "cv_issue_id"])
      .where("series_id", "=", seriesId)
      .where("listed", "=", 1)
      .execute();
    const dropped = known
      .filter((issue) => issue.cv_issue_id !== null && !listed.has(issue.cv_issue_id))
      .map((issue) => issue.id);
    for (const ids of inBatches(dropped)) {
      await this.#transaction.updateTable("issue").set({ listed: 0 }).where("id", "in", ids).execute();
      await this.#transaction
        .updateTable("issue")
        .set({ present: 0 })
        .where("id", "in", ids)
        .where("owned", "=", 0)
        .where("pick", "is", null)
        .execute();
    }
  }

  async #writeIssues(
    { seriesId, title }: { readonly seriesId: number; readonly title: string },
    listed: readonly Listed[],
  ): Promise<void> {
    const byProvider = await this.#knownToProvider(listed);
    const keepsHidden = await this.#isHidden(seriesId);
    const own = await this.#transaction
      .selectFrom("issue")
      .select(["id", "series_id", "cv_issue_id", "sort_key", "kind", "number"])
      .where("series_id", "=", seriesId)
      .where("cv_issue_id", "is", null)
      .orderBy("id")
      .execute();
    const unnamed = Map.groupBy(own, (issue) => keyWithin(title, issue));
    const [only, ...others] = own;
    const oneShot =
      listed.length === 1 &&
      others.length === 0 &&
      only &&
      (only.kind === "one-shot" || /^(?:Annual|Special)?$/.test(only.number))
        ? only
        : undefined;
    const added: Listed[] = [];
    const updated: number[] = [];
    for (const entry of listed) {
      const known = byProvider.get(entry.issue.cvIssueId);
      // Issues of a hidden series must not become visible in this one.
      if (known?.series_hidden === 1 && known.series_id !== seriesId && !keepsHidden) continue;
      const nameless = unnamed.get(entry.number.sortKey)?.shift() ?? oneShot;
      if (known) await this.#join(seriesId, known, nameless);
      const target = known ?? nameless;
      if (target) {
        await this.#update(target.id, entry);
        updated.push(target.id);
      } else added.push(entry);
    }
    await keepIssueEdits(this.#transaction, updated);
    await this.#insert(seriesId, added);
  }

  /** An issue that the files had made beside the one with the provider's id becomes that one. */
  async #join(seriesId: number, known: Known, nameless: Known | undefined): Promise<void> {
    if (known.series_id !== seriesId) {
      this.#touched.add(known.series_id);
      await moveIssue(this.#transaction, known.id, seriesId);
    }
    if (!nameless) return;
    const merge = { from: nameless.id, to: known.id };
    await mergeIssue(this.#transaction, merge);
    this.#merges.push(merge);
  }

  async #isHidden(seriesId: number): Promise<boolean> {
    const series = this.#transaction.selectFrom("series").select("hidden").where("id", "=", seriesId);
    return (await series.executeTakeFirstOrThrow()).hidden === 1;
  }

  async #knownToProvider(listed: readonly Listed[]): Promise<Map<number, KnownToProvider>> {
    const known = new Map<number, KnownToProvider>();
    for (const ids of inBatches(listed.map(({ issue }) => issue.cvIssueId))) {
      const rows = await this.#transaction
        .selectFrom("issue")
        .innerJoin("series", "series.id", "issue.series_id")
        .select([
          "issue.id",
          "issue.series_id",
          "issue.cv_issue_id",
          "issue.sort_key",
          "series.hidden as series_hidden",
        ])
        .where("issue.cv_issue_id", "in", ids)
        .execute();
      for (const row of rows) known.set(row.cv_issue_id as number, row);
    }
    return known;
  }

  async #update(issueId: number, { issue, number }: Listed): Promise<void> {
    await this.#transaction
      .updateTable("issue")
      .set((eb) => ({
        cv_issue_id: issue.cvIssueId,
        number: number.text,
        sort_key: number.sortKey,
        value: number.value ?? null,
        kind: number.kind,
        listed: 1,
        present: 1,
        title: eb.fn.coalesce(eb.val(issue.title ?? null), "title"),
        title_words: eb.fn.coalesce(eb.val(titleWords(issue.title)), "title_words"),
        cover_date: eb.fn.coalesce(eb.val(issue.coverDate ?? null), "cover_date"),
        store_date: eb.fn.coalesce(eb.val(issue.storeDate ?? null), "store_date"),
      }))
      .where("id", "=", issueId)
      .execute();
  }

  async #insert(seriesId: number, added: readonly Listed[]): Promise<void> {
    const firstId = await reserveIds(this.#transaction, "issue", added.length);
    const added_at = new Date().toISOString();
    const rows = added.map(({ issue, number }, index) => ({
      id: firstId + index,
      series_id: seriesId,
      cv_issue_id: issue.cvIssueId,
      number: number.text,
      sort_key: number.sortKey,
      value: number.value ?? null,
      kind: number.kind,
      title: issue.title ?? null,
      title_words: titleWords(issue.title),
      cover_date: issue.coverDate ?? null,
      store_date: issue.storeDate ?? null,
      listed: 1,
      added_at,
    }));
    for (const some of inBatches(rows)) await this.#transaction.insertInto("issue").values(some).execute();
  }
}

/** Of an issue that files made: its series may only now be known to be one of annuals. */
function keyWithin(title: string, { number, kind, sort_key }: Own): string {
  if (kind !== kindOfSeries(title)) return sort_key;
  return numberWithin(title, parseIssueNumber(number, kind)).sortKey;
}
