/** How far items are, as it changes many times a second. Kept in memory alone. */
export interface Progress {
  /** 0 to 1. */
  readonly progress?: number | undefined;
  /** Bytes per second. */
  readonly speed?: number | undefined;
  readonly secondsLeft?: number | undefined;
}

interface Moving extends Progress {
  readonly sinceMs: number;
  readonly sinceBytes: number;
}

const windowMs = 2_000;

/** The progress of what is under way, and a word to clients about it, at most once a second. */
export class Live {
  readonly #moving = new Map<number, Moving>();
  #told = 0;

  constructor(private readonly changed: () => void) {}

  of(itemId: number): Progress {
    return this.#moving.get(itemId) ?? {};
  }

  /** Of this server's own downloads. */
  bytes(itemId: number, done: number, total: number | undefined): void {
    const now = Date.now();
    const before = this.#moving.get(itemId) ?? { sinceMs: now, sinceBytes: done };
    const passed = now - before.sinceMs;
    const isNew = passed >= windowMs;
    const speed = isNew ? Math.round(((done - before.sinceBytes) / passed) * 1000) : before.speed;
    this.#moving.set(itemId, {
      sinceMs: isNew ? now : before.sinceMs,
      sinceBytes: isNew ? done : before.sinceBytes,
      speed,
      progress: total === undefined || total === 0 ? undefined : Math.min(1, done / total),
      secondsLeft: speed && total !== undefined ? Math.ceil((total - done) / speed) : undefined,
    });
    this.#tell(now);
  }

  /** As a client says. */
  set(itemId: number, progress: Progress): void {
    const now = Date.now();
    this.#moving.set(itemId, { ...progress, sinceMs: now, sinceBytes: 0 });
    this.#tell(now);
  }

  forget(itemId: number): void {
    this.#moving.delete(itemId);
  }

  #tell(now: number): void {
    if (now - this.#told < 1_000) return;
    this.#told = now;
    this.changed();
  }
}
