import { z } from "zod";
import { localPath, type PathMapping } from "./path-map.js";
import type { HeldTorrent } from "./program.js";
import { givenUpBy } from "./tracker-answers.js";

export const infoSchema = z.object({
  hash: z.string(),
  infohash_v1: z.string().optional(),
  name: z.string(),
  state: z.string(),
  progress: z.number(),
  size: z.number(),
  amount_left: z.number(),
  save_path: z.string(),
  content_path: z.string().optional(),
  tags: z.string(),
  dlspeed: z.number().optional(),
  eta: z.number().optional(),
  num_seeds: z.number().optional(),
});
export type TorrentInfo = z.output<typeof infoSchema>;

/** Stands for "never". */
const endlessSeconds = 8_640_000;
const done = new Set(["uploading", "pausedUP", "stoppedUP", "queuedUP", "stalledUP", "forcedUP"]);
const processing = /^(?:checking|moving|allocating)/u;

export interface Around {
  readonly mappings: readonly PathMapping[];
  /** On the client's disk, in bytes; asked only when a torrent failed. */
  readonly freeBytes: number | undefined;
  /** What the trackers of a torrent that stands still say, where none of them knows it. */
  readonly trackersSay: string | undefined;
}

export function heldOf(info: TorrentInfo, around: Around): HeldTorrent {
  return {
    hash: (info.infohash_v1 || info.hash).toLowerCase(),
    id: info.hash,
    labels: info.tags.split(",").map((tag) => tag.trim()),
    isUnfinished: false,
    download: { ...progressOf(info), ...stateOf(info, around) },
  };
}

function progressOf({ size, progress, dlspeed, eta }: TorrentInfo) {
  return {
    sizeBytes: Math.max(0, size),
    progress: Math.min(1, Math.max(0, progress)),
    ...(dlspeed !== undefined && { bytesPerSecond: dlspeed }),
    ...(eta !== undefined && eta >= 0 && eta < endlessSeconds && { secondsLeft: eta }),
  };
}

function stateOf(info: TorrentInfo, { mappings, freeBytes, trackersSay }: Around) {
  const { state } = info;
  if (state === "missingFiles") {
    const reason = `Files of "${info.name}" are gone from its folder.`;
    return { state: "failed", failure: "client", reason } as const;
  }
  if (state === "error") return failureOf(info, freeBytes);
  if (done.has(state) && info.amount_left === 0)
    return { state: "completed", path: localPath(contentOf(info), mappings) } as const;
  if (trackersSay !== undefined) return givenUpBy(trackersSay);
  if (processing.test(state)) return { state: "processing" } as const;
  if (state.startsWith("paused") || state.startsWith("stopped")) return { state: "paused" } as const;
  return { state: state.startsWith("queued") ? "queued" : "downloading" } as const;
}

/** Whether it waits for peers, and has none. */
export function standsStill({ state, num_seeds }: TorrentInfo): boolean {
  return /^(?:stalledDL|metaDL|forcedMetaDL)$/u.test(state) && (num_seeds ?? 0) === 0;
}

/** qBittorrent does not say what the error is: mostly it could not write. */
function failureOf({ amount_left, save_path }: TorrentInfo, freeBytes: number | undefined) {
  const isFull = freeBytes !== undefined && freeBytes < amount_left;
  const reason = isFull
    ? `${freeBytes} bytes are free, ${amount_left} are needed.`
    : `qBittorrent could not read or write in ${save_path}; its log says more.`;
  return { state: "failed", failure: isFull ? "disk" : "client", reason } as const;
}

function contentOf({ content_path, save_path, name }: TorrentInfo): string {
  return content_path === undefined || content_path === ""
    ? `${save_path.replace(/[/\\]+$/u, "")}/${name}`
    : content_path;
}
