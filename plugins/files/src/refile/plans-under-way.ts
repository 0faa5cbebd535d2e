import type { Viewer } from "@longbox/sdk";
import { idle, type RunningState } from "../running-state.js";

/** Told how far a plan is; stops it. */
export interface PlanControl {
  readonly signal?: AbortSignal;
  /** @param done - series, of `total` */
  progress?(done: number, total: number): void;
}

const announcedEveryMs = 1000;

/** Plans of the whole library that viewers wait for, and how far they are. */
export class PlansUnderWay {
  /** By the account that waits; of two plans of one account, the newer one. */
  readonly #states = new Map<number, RunningState>();

  constructor(private readonly announce: () => void) {}

  state({ user }: Viewer): RunningState {
    return this.#states.get(user.id) ?? idle;
  }

  /** @throws the signal's reason when it aborts */
  async follow<T>(viewer: Viewer, signal: AbortSignal, plan: (control: PlanControl) => Promise<T>): Promise<T> {
    const { id } = viewer.user;
    const startedAt = new Date().toISOString();
    let state: RunningState | undefined;
    let announcedAt = performance.now();
    const progress = (done: number, total: number) => {
      this.#states.set(id, (state = { running: true, done, total, startedAt }));
      if (performance.now() - announcedAt < announcedEveryMs) return;
      announcedAt = performance.now();
      this.announce();
    };
    progress(0, 0);
    try {
      return await plan({ signal, progress });
    } finally {
      if (this.#states.get(id) === state) this.#states.delete(id);
    }
  }
}
