import type { KernelLogs, LogFilter, LogLevel, LogLine, Releasable } from "@longbox/sdk";
import { Happening } from "../events/happening.js";

export const levels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** Of long lines fewer are kept: so many characters in all. */
const mostCharacters = 8 * 1024 * 1024;

/** The latest lines, within bounds. */
export class LogRing implements KernelLogs {
  readonly #lines: LogLine[] = [];
  readonly #sizes = new WeakMap<LogLine, number>();
  #characters = 0;
  readonly #added = new Happening<LogLine>();

  constructor(private readonly most = 5000) {}

  add(line: LogLine): void {
    const size = line.message.length + JSON.stringify(line.fields).length;
    this.#sizes.set(line, size);
    this.#characters += size;
    this.#lines.push(line);
    // Dropped a few at a time: shifting on every line would copy the whole list each time.
    if (this.#lines.length > this.most + 256) this.#drop(this.#lines.length - this.most);
    while (this.#characters > mostCharacters) this.#drop(Math.ceil(this.#lines.length / 16));
    this.#added.tell(line);
  }

  async list(filter: LogFilter = {}): Promise<{ lines: LogLine[]; total: number; categories: string[] }> {
    const fitting = this.#lines.filter((line) => fits(line, filter)).reverse();
    const offset = filter.offset ?? 0;
    const categories = [...new Set(this.#lines.map((line) => line.category))].sort();
    return { lines: fitting.slice(offset, offset + (filter.limit ?? 200)), total: fitting.length, categories };
  }

  async clear(): Promise<number> {
    return this.#drop(this.#lines.length);
  }

  #drop(count: number): number {
    const dropped = this.#lines.splice(0, count);
    for (const line of dropped) this.#characters -= this.#sizes.get(line)!;
    return dropped.length;
  }

  onLine(listener: (line: LogLine) => void): Releasable {
    // A follower that fails hears no more: its failure will be logged, and it would fail on that line too.
    const following = this.#added.on((line) => {
      try {
        listener(line);
      } catch (thrown) {
        void following.release();
        throw thrown;
      }
    });
    return following;
  }
}

function fits(line: LogLine, { level, category, text, after, since, until }: LogFilter): boolean {
  if (after !== undefined && line.id <= after) return false;
  // Times of the same form sort as they follow each other.
  if ((since !== undefined && line.at < since) || (until !== undefined && line.at >= until)) return false;
  if (level !== undefined && levels.indexOf(line.level) < levels.indexOf(level)) return false;
  if (category !== undefined && line.category !== category) return false;
  return (
    text === undefined || `${line.message} ${JSON.stringify(line.fields)}`.toLowerCase().includes(text.toLowerCase())
  );
}
