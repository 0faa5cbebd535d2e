import type { ReadingContract, ReadingState } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";
import type { Documents, KnownDocument } from "./documents.js";
import { positionOf, progressOf } from "./positions.js";
import type { Report, Reports } from "./reports.js";

/** A position in a document, as e-readers send and receive it. */
export interface Progress {
  /** 32 hexadecimal digits in lower case. */
  readonly document: string;
  /** A page, counted from 1, or the XPointer of a position in a text. */
  readonly progress: string;
  /** 0 to 1. */
  readonly percentage: number;
  readonly device: string;
  readonly device_id: string;
}

export interface SyncParts {
  readonly documents: Documents;
  readonly reading: ReadingContract;
  readonly reports: Reports;
}

/** Exchanges positions between e-readers and the reading progress that all programs share. */
export class Syncing {
  constructor(private readonly parts: SyncParts) {}

  /**
   * @param at - when it was read, in milliseconds since 1970; undefined from clients that do not tell
   * @returns the time that the position has now, in milliseconds since 1970
   */
  async take(told: Progress, at: number | undefined, viewer: Viewer): Promise<number> {
    const { documents, reports } = this.parts;
    const [known, before] = await Promise.all([
      documents.find(told.document, viewer),
      reports.find(viewer.user.id, told.document),
    ]);
    if (known) await this.#adopt(before, known, viewer);
    const name = nameOf(told);
    const last = before.find((report) => report.name === name);
    const reported_at = timeOf(told, at, last);
    const report = { ...told, user_id: viewer.user.id, name, issue_id: known?.issue.id ?? null, reported_at };
    if (known) await this.#tell(report, known, viewer);
    if (!last || reported_at >= last.reported_at) await reports.keep(report);
    return reported_at;
  }

  /** Undefined when nothing was read, or when the position cannot be expressed for an e-reader. */
  async find(document: string, viewer: Viewer): Promise<(Progress & { readonly at: number }) | undefined> {
    const [known, reports] = await Promise.all([
      this.parts.documents.find(document, viewer),
      this.parts.reports.find(viewer.user.id, document),
    ]);
    if (!known) return asTold(reports[0]);
    await this.#adopt(reports, known, viewer);
    const [state] = await this.parts.reading.find(viewer, [known.issue.id]);
    if (!state) return undefined;
    const progress = progressOf(state, known, reports);
    return progress === undefined ? asTold(reports[0]) : { document, progress, ...whereabouts(state, reports) };
  }

  /** The document's file has been added to the library since e-readers reported it. */
  async #adopt(reports: readonly Report[], known: KnownDocument, viewer: Viewer): Promise<void> {
    for (const report of reports.filter(({ issue_id }) => issue_id === null).reverse()) {
      await this.#tell(report, known, viewer);
      await this.parts.reports.keep({ ...report, issue_id: known.issue.id });
    }
  }

  async #tell(report: Report, known: KnownDocument, viewer: Viewer): Promise<void> {
    await this.parts.reading.report(viewer, known.issue.id, {
      position: positionOf(report, known),
      device: report.name,
      at: new Date(report.reported_at).toISOString(),
    });
  }
}

/**
 * Most clients do not tell when something was read, so it is the time of arrival. A push that repeats the last position
 * of the same device has the time of the first one: it does not undo what the user did elsewhere in between.
 */
function timeOf(told: Progress, at: number | undefined, last: Report | undefined): number {
  const repeats = last !== undefined && last.progress === told.progress && last.percentage === told.percentage;
  if (repeats) return last.reported_at;
  const now = Date.now();
  return at === undefined || at > now || at < earliest ? now : at;
}

/** Clocks that were never set are not believed. */
const earliest = Date.UTC(2000, 0);

const asTold = (report: Report | undefined) => report && { ...report, at: report.reported_at };

/** An e-reader recognises its own reports by its id, and leaves them alone. */
function whereabouts(state: ReadingState, reports: readonly Report[]) {
  const own = reports.find(({ name }) => name === state.device);
  return {
    percentage: Math.round(state.fraction * 10_000) / 10_000,
    device: own?.device ?? (state.device || "Longbox"),
    device_id: own?.device_id ?? "longbox",
    at: Date.parse(state.at),
  };
}

/** E-readers of one model are told apart by their ids. */
function nameOf({ device, device_id }: Progress): string {
  return `${device.slice(0, 100)} (${device_id.slice(0, 8)})`;
}
