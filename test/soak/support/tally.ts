/** Answers that were not expected, or an actor that could not go on; those that differ only in numbers count as one. */
export interface Wrong {
  /** Of the first. */
  readonly at: string;
  readonly actor: string;
  readonly what: string;
  times: number;
}

/** Codes of 503 that a client may see while plugins are switched, and for no other reason. */
const switching = new Set([
  "kernel/capability-gone",
  "kernel/plugin-not-running",
  "kernel/plugin-stopped",
  "kernel/starting",
  "kernel/stopped",
]);
/** Work that began before a plugin was switched may end as late as this after it. */
const lateMs = 3000;
/** A plugin that an admin has disabled has no paths. */
const withoutPaths = "kernel/no-such-path";
const mostKept = 200;

export interface Answer {
  readonly actor: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string | undefined;
  readonly ms: number;
  /** What the actor expects beside success, such as 502 of a provider that fails. */
  readonly allows?: readonly number[];
}

/** Counts answers, and judges those that are failures. */
export class Tally {
  answers = 0;
  serverErrors = 0;
  /** Answers of 503 while plugins were switched. */
  readonly expected = new Map<string, number>();
  readonly #wrong = new Map<string, Wrong>();
  wrongs = 0;
  #times: number[] = [];
  #all: number[] = [];
  #switching = 0;
  #switchedAt = -Infinity;

  /** Marks that plugins are being switched until the work has ended. */
  async whileSwitching<T>(work: () => Promise<T>): Promise<T> {
    this.#switching += 1;
    try {
      return await work();
    } finally {
      this.#switching -= 1;
      this.#switchedAt = performance.now();
    }
  }

  answered(answer: Answer): void {
    const { actor, method, path, status, code, ms, allows = [] } = answer;
    this.answers += 1;
    this.#times.push(ms);
    if (this.answers % 7 === 0) this.#all.push(ms);
    if (status >= 500) this.serverErrors += 1;
    if (status < 400 || allows.includes(status)) return;
    const isSwitch = this.#switching > 0 || performance.now() - this.#switchedAt < lateMs;
    const isExpected = status === 503 ? switching.has(code ?? "") : status === 404 && code === withoutPaths;
    if (isSwitch && isExpected && code !== undefined)
      return void this.expected.set(code, (this.expected.get(code) ?? 0) + 1);
    this.failed(actor, `${method} ${path} answered ${status} ${code ?? ""} after ${Math.round(ms)} ms`);
  }

  failed(actor: string, what: string): void {
    this.wrongs += 1;
    const kind = what.replaceAll(/\d+/g, "0");
    const known = this.#wrong.get(kind);
    if (known) return void (known.times += 1);
    if (this.#wrong.size < mostKept) this.#wrong.set(kind, { at: new Date().toISOString(), actor, what, times: 1 });
  }

  get wrong(): readonly Wrong[] {
    return [...this.#wrong.values()];
  }

  /** The times of the answers since it was asked last, in milliseconds. */
  takeTimes(): readonly number[] {
    const times = this.#times;
    this.#times = [];
    return times;
  }

  /** The times of every seventh answer of the whole run. */
  get sampledTimes(): readonly number[] {
    return this.#all;
  }
}
