import { z } from "zod";
import { localPath, type PathMapping } from "./path-map.js";
import type { HeldTorrent } from "./program.js";
import { givenUpBy, isUnknownToTracker } from "./tracker-answers.js";

export const torrentSchema = z.object({
  hashString: z.string(),
  name: z.string(),
  status: z.number(),
  percentDone: z.number(),
  leftUntilDone: z.number(),
  peersConnected: z.number().optional(),
  sizeWhenDone: z.number(),
  error: z.number(),
  errorString: z.string(),
  downloadDir: z.string(),
  rateDownload: z.number().optional(),
  eta: z.number().optional(),
  labels: z.array(z.string()).optional(),
});
export type TransmissionTorrent = z.output<typeof torrentSchema>;

export const torrentFields = Object.keys(torrentSchema.shape);

/** What the numbers of `status` and `error` mean. */
const status = { stopped: 0, checkWait: 1, checking: 2, downloadWait: 3 } as const;
const localError = 3;
const trackerError = 2;

export function heldOf(torrent: TransmissionTorrent, mappings: readonly PathMapping[]): HeldTorrent {
  const labels = torrent.labels ?? [];
  return {
    hash: torrent.hashString.toLowerCase(),
    id: torrent.hashString,
    labels,
    // Version 3 does not accept labels when a torrent is added: they come with a second request, and the start with a
    // third.
    isUnfinished: labels.length === 0 && torrent.status === status.stopped && torrent.percentDone === 0,
    download: { ...progressOf(torrent), ...stateOf(torrent, mappings) },
  };
}

function progressOf({ sizeWhenDone, percentDone, rateDownload, eta }: TransmissionTorrent) {
  return {
    sizeBytes: Math.max(0, sizeWhenDone),
    progress: Math.min(1, Math.max(0, percentDone)),
    ...(rateDownload !== undefined && { bytesPerSecond: rateDownload }),
    ...(eta !== undefined && eta >= 0 && { secondsLeft: eta }),
  };
}

function stateOf(torrent: TransmissionTorrent, mappings: readonly PathMapping[]) {
  if (torrent.error === localError) {
    const failure = /no space|disk full|quota/iu.test(torrent.errorString) ? "disk" : "client";
    return { state: "failed", failure, reason: torrent.errorString.slice(0, 300) } as const;
  }
  if (torrent.status === status.checkWait || torrent.status === status.checking)
    return { state: "processing" } as const;
  if (torrent.sizeWhenDone > 0 && torrent.percentDone === 1 && torrent.leftUntilDone === 0)
    return { state: "completed", path: localPath(contentOf(torrent), mappings) } as const;
  if (torrent.error === trackerError && isUnknownToTracker(torrent.errorString) && (torrent.peersConnected ?? 0) === 0)
    return givenUpBy(torrent.errorString);
  if (torrent.status === status.stopped) return { state: "paused" } as const;
  return { state: torrent.status === status.downloadWait ? "queued" : "downloading" } as const;
}

const contentOf = ({ downloadDir, name }: TransmissionTorrent) => `${downloadDir.replace(/[/\\]+$/u, "")}/${name}`;
