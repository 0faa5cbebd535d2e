import type { Sample } from "./sampling.ts";

/** What is watched for growth, and how much of it is taken for noise. */
interface Watched {
  readonly field: keyof Sample;
  readonly title: string;
  readonly mostPerHour: number;
  /** A short run may grow by as much, whatever that is in an hour. */
  readonly noise: number;
}

const watched: readonly Watched[] = [
  { field: "treeMegabytes", title: "Memory of all processes, MB", mostPerHour: 10, noise: 8 },
  { field: "residentMegabytes", title: "Memory of the process that serves, MB", mostPerHour: 10, noise: 8 },
  { field: "heapMegabytes", title: "Heap, MB", mostPerHour: 5, noise: 4 },
  { field: "descriptors", title: "Open files and sockets", mostPerHour: 2, noise: 2 },
  { field: "resources", title: "Handles of the event loop", mostPerHour: 2, noise: 2 },
];

export interface Growth {
  readonly title: string;
  readonly field: keyof Sample;
  readonly perHour: number;
  readonly inRun: number;
  readonly holds: boolean;
}

export interface Verdict {
  readonly growth: readonly Growth[];
  readonly faults: readonly string[];
  readonly holds: boolean;
}

/** How much of a run is left out, while modules are loaded and caches are filled. */
export const warmUpShare = 1 / 3;
const parts = 24;

/** Judges a run by what was seen after its warm-up, and by what was wrong at any time. */
export function judge(samples: readonly Sample[], faults: readonly string[]): Verdict {
  const seen = samples.slice(Math.floor(samples.length * warmUpShare));
  const growth = watched.map(({ field, title, mostPerHour, noise }) => {
    const perHour = slopeOfFloors(seen.map((sample) => [sample.minute / 60, sample[field]]));
    const inRun = perHour * (((seen.at(-1)?.minute ?? 0) - (seen[0]?.minute ?? 0)) / 60);
    // Nothing that was not seen holds.
    return { title, field, perHour, inRun, holds: perHour <= mostPerHour || inRun <= noise };
  });
  return { growth, faults, holds: faults.length === 0 && growth.every(({ holds }) => holds) };
}

/**
 * The slope of the lowest values of each part of the run: what is collected again, and what comes and goes with the
 * work, is no growth. It is the median of the slopes between all pairs (Theil and Sen), which a few outliers do not
 * change.
 */
export function slopeOfFloors(points: readonly (readonly [x: number, y: number])[]): number {
  const size = Math.max(1, Math.ceil(points.length / parts));
  const floors: (readonly [number, number])[] = [];
  for (let at = 0; at < points.length; at += size) {
    const part = points.slice(at, at + size);
    floors.push(part.reduce((lowest, point) => (point[1] < lowest[1] ? point : lowest)));
  }
  const slopes = floors.flatMap(([x, y], at) => floors.slice(at + 1).map(([x2, y2]) => (y2 - y) / (x2 - x)));
  return slopes.toSorted((one, other) => one - other)[Math.floor(slopes.length / 2)] ?? Number.NaN;
}
