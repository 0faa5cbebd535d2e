import type { RunningJob } from "./running-job.js";

interface Lane {
  readonly waiting: RunningJob[];
  readonly running: Set<RunningJob>;
  concurrency: number;
}

/** Lets jobs of one kind run so many at a time, in the order in which they were asked for. */
export class JobLanes {
  readonly #lanes = new Map<string, Lane>();

  enter(job: RunningJob, concurrency: number): void {
    const lane = this.#lane(job.kind);
    lane.concurrency = concurrency;
    lane.waiting.push(job);
    this.#advance(job.kind, lane);
  }

  /** Takes a job out that has not begun; false when it has. */
  leave(job: RunningJob): boolean {
    const waiting = this.#lanes.get(job.kind)?.waiting ?? [];
    const place = waiting.indexOf(job);
    if (place < 0) return false;
    waiting.splice(place, 1);
    return true;
  }

  #advance(kind: string, lane: Lane): void {
    while (lane.running.size < lane.concurrency) {
      const job = lane.waiting.shift();
      if (!job) break;
      lane.running.add(job);
      void job.run().finally(() => {
        lane.running.delete(job);
        this.#advance(kind, lane);
      });
    }
    if (lane.running.size === 0 && lane.waiting.length === 0) this.#lanes.delete(kind);
  }

  #lane(kind: string): Lane {
    let lane = this.#lanes.get(kind);
    if (!lane) this.#lanes.set(kind, (lane = { waiting: [], running: new Set(), concurrency: 1 }));
    return lane;
  }
}
