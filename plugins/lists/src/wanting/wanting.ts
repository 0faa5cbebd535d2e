import { isLongboxError, type OptionalCapability, type Viewer } from "@longbox/sdk";
import type { CatalogContract } from "@longbox/collection/contract";
import type { MetadataContract } from "@longbox/metadata/contract";
import { keepViewer, type Background, type WorkControl } from "../background.js";
import type { ViewedItem } from "../keeping/library-view.js";
import type { ListRecord } from "../keeping/list-records.js";
import type { ReadingLists } from "../keeping/reading-lists.js";
import { settlesWithin } from "../matching/looking-up.js";
import type { WantOutcome } from "../shapes.js";
import { idOf, volumesOf, type WantedVolume } from "./volumes.js";

export const wantingKind = "lists.want";
const mostFailures = 500;

export interface WantingParts {
  readonly lists: ReadingLists;
  readonly catalog: CatalogContract;
  readonly metadata: OptionalCapability<MetadataContract>;
  readonly background: Background;
}

type Tally = Omit<WantOutcome, "jobId" | "running">;

/** Wants every issue of a list that the library does not own; series that are not there are added, with nothing wanted but these issues. */
export class Wanting {
  readonly #parts: WantingParts;

  constructor(parts: WantingParts) {
    this.#parts = parts;
  }

  /** @param patienceMs - How long somebody waits for the answer; what takes longer goes on as a job */
  async want(listId: number, viewer: Viewer, patienceMs: number): Promise<WantOutcome> {
    const list = await this.#parts.lists.readable(listId, viewer);
    const tally = emptyTally();
    const rest = await this.#pickHere(list, viewer, tally);
    if (rest.length === 0) return { ...tally, running: false };
    const errand = { kind: wantingKind, title: `Want ${list.name}`, key: `${wantingKind}:${listId}`, input: { listId, viewer: keepViewer(viewer) } };
    const { jobId, ended } = await this.#parts.background.run(errand, (control) => this.#addVolumes(list, rest, viewer, tally, control));
    const running = !(await settlesWithin(ended, patienceMs));
    return { ...tally, failures: tally.failures.slice(0, mostFailures), running, ...(running && jobId !== undefined ? { jobId } : {}) };
  }

  /** The same from the start, after a restart: what was added before is in the library by now. */
  async work(listId: number, viewer: Viewer, control: WorkControl): Promise<string> {
    const list = await this.#parts.lists.readable(listId, viewer);
    const tally = emptyTally();
    return await this.#addVolumes(list, await this.#pickHere(list, viewer, tally), viewer, tally, control);
  }

  /** @returns the items whose series are not in the library */
  async #pickHere(list: ListRecord, viewer: Viewer, tally: Tally): Promise<ViewedItem[]> {
    const items = await this.#parts.lists.items(list, viewer);
    tally.issues = items.length;
    const lacking = [...new Map(items.filter(({ issue }) => !issue?.owned).map((item) => [idOf(item), item])).values()];
    const here = lacking.flatMap(({ issue }) => issue?.cvIssueId ?? []);
    const picked = new Set(here.length === 0 ? [] : await this.#parts.catalog.pickIssues(here, { viewer, why: "list", reason: reasonOf(list) }));
    tally.picked += picked.size;
    const rest = lacking.filter(({ issue }) => !issue || !picked.has(issue.cvIssueId));
    const known = rest.filter((item) => idOf(item) > 0);
    fail(tally, rest.filter((item) => idOf(item) < 0), "The provider does not know this issue.");
    if (known.length > 0 && !this.#parts.metadata.available()) {
      fail(tally, known, "Its series is not in the library, and no plugin can ask the provider.");
      return [];
    }
    return known;
  }

  async #addVolumes(list: ListRecord, rest: readonly ViewedItem[], viewer: Viewer, tally: Tally, control: WorkControl): Promise<string> {
    const volumes = await this.#volumesOf(rest, tally, control.signal);
    for (const [index, { volumeId, items }] of volumes.entries()) {
      control.signal.throwIfAborted();
      // Somebody may delete the list, or make it private, meanwhile: then nobody wants it any more.
      await this.#parts.lists.readable(list.id, viewer);
      control.progress(index, volumes.length, items[0]?.record.series ?? "");
      await this.#addVolume(list, { volumeId, items }, viewer, tally, control.signal);
    }
    control.progress(volumes.length, volumes.length, "");
    return `${tally.added} series were added, ${tally.picked} issues are wanted${tally.failed === 0 ? "" : `, ${tally.failed} could not be`}.`;
  }

  async #volumesOf(rest: readonly ViewedItem[], tally: Tally, signal: AbortSignal): Promise<WantedVolume[]> {
    try {
      const { volumes, lost } = await volumesOf(this.#parts.metadata.use, rest, signal);
      fail(tally, lost, "The provider does not know this issue.");
      return volumes;
    } catch (fault) {
      signal.throwIfAborted();
      if (!isLongboxError(fault)) throw fault;
      fail(tally, rest, fault.message);
      return [];
    }
  }

  async #addVolume(list: ListRecord, wanted: WantedVolume, viewer: Viewer, tally: Tally, signal: AbortSignal): Promise<void> {
    const { catalog, metadata } = this.#parts;
    try {
      const volume = await metadata.use.getVolume(wanted.volumeId, { urgency: "background", signal });
      const listed = new Set(volume.issues.map((issue) => issue.cvIssueId));
      const items = wanted.items.filter((item) => listed.has(idOf(item)));
      fail(tally, wanted.items.filter((item) => !listed.has(idOf(item))), "The provider lists no such issue in this series.");
      if (items.length === 0) return;
      const known = await catalog.findByVolumes([wanted.volumeId], viewer);
      await metadata.use.addVolume(wanted.volumeId, { viewer, cvIssueIds: items.map(idOf), why: "list", reason: reasonOf(list), only: true }, { urgency: "background", signal });
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
  tally.failures.push(...items.map((item) => ({ cvIssueId: idOf(item), series: item.issue?.seriesTitle ?? item.record.series, number: item.issue?.number ?? item.record.number, reason })));
}
