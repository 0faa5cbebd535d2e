import { inBatches, isLongboxError, type KernelUsers, type OptionalCapability, type Viewer } from "@longbox/sdk";
import type { CatalogContract } from "@longbox/collection/contract";
import type { MetadataContract } from "@longbox/metadata/contract";
import type { JobControl } from "@longbox/operations/contract";
import type { Background } from "../background.js";
import type { ViewedItem } from "../keeping/library-view.js";
import type { ListRecord } from "../keeping/list-records.js";
import type { ReadingLists } from "../keeping/reading-lists.js";
import type { WantOutcome } from "../shapes.js";
import { AccountMayNotWant, WantingFailed } from "../errors.js";
import { idOf, volumesOf, type WantedVolume } from "./volumes.js";

export const wantingKind = "lists.want";
const mostFailures = 500;

export interface WantingParts {
  readonly lists: ReadingLists;
  readonly catalog: CatalogContract;
  readonly metadata: OptionalCapability<MetadataContract>;
  readonly background: Background;
  readonly users: KernelUsers;
}

/** One run for one account. Its rights are checked again for each series, because they may have changed. */
interface WantRun {
  readonly list: ListRecord;
  readonly userId: number;
  readonly tally: Tally;
}

type Tally = Omit<WantOutcome, "jobId" | "running">;

/** Wants every item of a list that is not owned. Missing series are added with only these items wanted. */
export class Wanting {
  readonly #parts: WantingParts;

  constructor(parts: WantingParts) {
    this.#parts = parts;
  }

  /** @param patienceMs - How long the request may wait; longer work continues as a job */
  async want(listId: number, viewer: Viewer, patienceMs: number): Promise<WantOutcome> {
    const list = await this.#parts.lists.readable(listId, viewer);
    const tally = emptyTally();
    const lacking = await this.#lacking(list, viewer, tally);
    if (lacking.length === 0) return { ...tally, running: false };
    const run = { list, userId: viewer.user.id, tally };
    const errand = {
      kind: wantingKind,
      title: `Want ${list.name}`,
      key: `${wantingKind}:${listId}`,
      input: { listId, userId: run.userId },
    };
    const { jobId, ended } = await this.#parts.background.run(
      errand,
      (control) => this.#wantAll(run, lacking, control),
      patienceMs,
    );
    if (ended?.state === "failed") throw new WantingFailed(ended.error ?? "the job gave no reason.");
    const failures = tally.failures.slice(0, mostFailures);
    return { ...tally, failures, running: !ended, ...(ended ? {} : { jobId }) };
  }

  /** Resumes after a restart from the beginning; series that were already added are found in the library. */
  async work(listId: number, userId: number, control: JobControl): Promise<string> {
    const viewer = await this.#viewerOf(userId);
    const list = await this.#parts.lists.readable(listId, viewer);
    const run = { list, userId, tally: emptyTally() };
    return await this.#wantAll(run, await this.#lacking(list, viewer, run.tally), control);
  }

  /** The current rights of the account. @throws {AccountMayNotWant} when it may no longer add to the library */
  async #viewerOf(userId: number): Promise<Viewer> {
    const viewer = await this.#parts.users.viewerOf(userId);
    if (viewer?.may("library.manage") !== true) throw new AccountMayNotWant();
    return viewer;
  }

  /** @returns the items that are not owned, each issue once */
  async #lacking(list: ListRecord, viewer: Viewer, tally: Tally): Promise<ViewedItem[]> {
    const items = await this.#parts.lists.items(list, viewer);
    tally.issues = items.length;
    return [...new Map(items.filter(({ issue }) => !issue?.owned).map((item) => [idOf(item), item])).values()];
  }

  async #wantAll(run: WantRun, lacking: readonly ViewedItem[], control: JobControl): Promise<string> {
    return await this.#addVolumes(run, await this.#pickHere(run, lacking, control), control);
  }

  /** @returns the items whose series are not in the library */
  async #pickHere(run: WantRun, lacking: readonly ViewedItem[], control: JobControl): Promise<ViewedItem[]> {
    const { list, userId, tally } = run;
    const here = lacking.flatMap(({ issue }) => issue?.cvIssueId ?? []);
    const picked = new Set<number>();
    for (const some of inBatches(here)) {
      control.signal.throwIfAborted();
      const viewer = await this.#viewerOf(userId);
      const done = await this.#parts.catalog.pickIssues(some, { viewer, why: "list", reason: reasonOf(list) });
      for (const id of done) picked.add(id);
      control.progress(picked.size, lacking.length, list.name);
    }
    tally.picked += picked.size;
    const rest = lacking.filter(({ issue }) => !issue || !picked.has(issue.cvIssueId));
    const known = rest.filter((item) => idOf(item) > 0);
    fail(
      tally,
      rest.filter((item) => idOf(item) < 0),
      "The provider does not have this item.",
    );
    if (known.length > 0 && !this.#parts.metadata.available()) {
      fail(tally, known, "Its series is not in the library, and there is no metadata provider.");
      return [];
    }
    return known;
  }

  async #addVolumes(run: WantRun, rest: readonly ViewedItem[], control: JobControl): Promise<string> {
    const { list, userId, tally } = run;
    const volumes = rest.length === 0 ? [] : await this.#volumesOf(rest, tally, control.signal);
    for (const [index, { volumeId, items }] of volumes.entries()) {
      control.signal.throwIfAborted();
      // The list may have been deleted or made private meanwhile: then its items are no longer wanted.
      const viewer = await this.#viewerOf(userId);
      await this.#parts.lists.readable(list.id, viewer);
      control.progress(index, volumes.length, items[0]?.record.series ?? "");
      await this.#addVolume(run, { volumeId, items }, { viewer, signal: control.signal });
    }
    control.progress(volumes.length, volumes.length, "");
    return `${tally.added} series were added, ${tally.picked} items are wanted${tally.failed === 0 ? "" : `, ${tally.failed} failed`}.`;
  }

  async #volumesOf(rest: readonly ViewedItem[], tally: Tally, signal: AbortSignal): Promise<WantedVolume[]> {
    try {
      const { volumes, lost } = await volumesOf(this.#parts.metadata.use, rest, signal);
      fail(tally, lost, "The provider does not have this item.");
      return volumes;
    } catch (fault) {
      signal.throwIfAborted();
      if (!isLongboxError(fault)) throw fault;
      fail(tally, rest, fault.message);
      return [];
    }
  }

  async #addVolume(
    { list, tally }: WantRun,
    wanted: WantedVolume,
    { viewer, signal }: { readonly viewer: Viewer; readonly signal: AbortSignal },
  ): Promise<void> {
    const { catalog, metadata } = this.#parts;
    try {
      const volume = await metadata.use.getVolume(wanted.volumeId, { urgency: "background", viewer, signal });
      const listed = new Set(volume.issues.map((issue) => issue.cvIssueId));
      const items = wanted.items.filter((item) => listed.has(idOf(item)));
      fail(
        tally,
        wanted.items.filter((item) => !listed.has(idOf(item))),
        "The provider has no such item in this series.",
      );
      if (items.length === 0) return;
      const known = await catalog.findByVolumes([wanted.volumeId], viewer);
      await metadata.use.addVolume(
        wanted.volumeId,
        { viewer, cvIssueIds: items.map(idOf), why: "list", reason: reasonOf(list), only: true },
        { urgency: "background", viewer, signal },
      );
      if (known.length === 0) tally.added += 1;
      tally.picked += items.length;
    } catch (fault) {
      signal.throwIfAborted();
      if (!isLongboxError(fault)) throw fault;
      fail(tally, wanted.items, fault.message);
    }
  }
}

const emptyTally = (): Tally => ({ added: 0, picked: 0, failed: 0, issues: 0, failures: [] });
const reasonOf = (list: ListRecord): string => `List: ${list.name}`;

function fail(tally: Tally, items: readonly ViewedItem[], reason: string): void {
  tally.failed += items.length;
  tally.failures.push(
    ...items.map((item) => ({
      cvIssueId: idOf(item),
      series: item.issue?.seriesTitle ?? item.record.series,
      number: item.issue?.number ?? item.record.number,
      reason,
    })),
  );
}
