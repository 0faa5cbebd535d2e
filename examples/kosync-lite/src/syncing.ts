import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { FilesContent } from "@longbox/files/contract";
import type { Position, ReadingContract, ReadingState } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";
import type { Report, Reports } from "./reports.js";

/** What an e-reader tells, and is told, of a document. */
export interface Progress {
  readonly document: string;
  /** A page, counted from 1, or the XPointer of a place in a text. */
  readonly progress: string;
  /** 0 to 1. */
  readonly percentage: number;
  readonly device: string;
  readonly device_id: string;
}

interface Sources {
  readonly library: CollectionContract;
  readonly files: FilesContent;
  readonly reading: ReadingContract;
  readonly reports: Reports;
}

/** What a document's id is made of: the e-reader's user chooses between the contents of the file and its name. */
const schemes = ["partial-md5", "name-md5"] as const;

/**
 * Takes the places of e-readers into the reading state that every program shares, and gives back what was read
 * anywhere.
 */
export class Syncing {
  constructor(private readonly sources: Sources) {}

  /** @returns milliseconds since 1970 */
  async take(told: Progress, viewer: Viewer): Promise<number> {
    const issue = await this.#issueOf(told.document, viewer);
    const report = { ...told, user_id: viewer.user.id, issue_id: issue?.id ?? null, reported_at: Date.now() };
    if (issue) await this.#tell(report, issue, viewer);
    await this.sources.reports.keep(report);
    return report.reported_at;
  }

  /** Undefined when nothing was read, or nothing that an e-reader could find. */
  async find(document: string, viewer: Viewer): Promise<(Progress & { readonly at: number }) | undefined> {
    const [told, issue] = await Promise.all([
      this.sources.reports.find(viewer.user.id, document),
      this.#issueOf(document, viewer),
    ]);
    if (!issue) return told && { ...told, at: told.reported_at };
    if (told?.issue_id === null) await this.#adopt(told, issue, viewer);
    const [state] = await this.sources.reading.find(viewer, [issue.id]);
    return state && placeOf(state, document, told);
  }

  /** The document's file has come into the library since the e-reader told of it. */
  async #adopt(told: Report, issue: Issue, viewer: Viewer): Promise<void> {
    await this.#tell(told, issue, viewer);
    await this.sources.reports.keep({ ...told, issue_id: issue.id });
  }

  async #tell(report: Report, issue: Issue, viewer: Viewer): Promise<void> {
    await this.sources.reading.report(viewer, issue.id, {
      position: positionOf(report, issue),
      device: deviceName(report),
      at: new Date(report.reported_at).toISOString(),
    });
  }

  async #issueOf(document: string, viewer: Viewer): Promise<Issue | undefined> {
    const { files, library } = this.sources;
    for (const scheme of schemes) {
      const [match] = await files.findByFingerprint({ scheme, value: document }, viewer);
      const [issue] = match ? await library.findIssues([match.issueId], viewer) : [];
      if (issue) return issue;
    }
    return undefined;
  }
}

function positionOf({ progress, percentage }: Report, { pages }: Issue): Position {
  const page = /^\d+$/.test(progress) ? Number(progress) : 0;
  if (page >= 1 && page <= pages) return { kind: "page", page: page - 1, pages };
  return { kind: "locator", locator: progress, fraction: percentage };
}

/** Where to go on, in words that KOReader understands: a page, or an XPointer that an e-reader told. */
function placeOf(state: ReadingState, document: string, told: Report | undefined) {
  const { page, locator } = state.places;
  const place = page ? String(page.page + 1) : locator?.locator;
  if (place === undefined || !/^(\d+$|\/)/.test(place)) return told && { ...told, at: told.reported_at };
  const isOwn = told !== undefined && state.device === deviceName(told);
  return {
    document,
    progress: place,
    percentage: Math.round(state.fraction * 10_000) / 10_000,
    device: isOwn ? told.device : state.device || "Longbox",
    device_id: isOwn ? told.device_id : "longbox",
    at: Date.parse(state.at),
  };
}

/** Two e-readers of one model are told apart by their ids. */
function deviceName({ device, device_id }: Pick<Report, "device" | "device_id">): string {
  return `${device.slice(0, 100)} (${device_id.slice(0, 8)})`;
}
