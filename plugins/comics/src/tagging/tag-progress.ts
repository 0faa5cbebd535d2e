import { z } from "zod";
import type { Viewer } from "@longbox/sdk";

/** How far writing tags has come. */
export interface TagState {
  readonly running: boolean;
  readonly done: number;
  readonly total: number;
  readonly message?: string | undefined;
  readonly error?: string | undefined;
  readonly startedAt?: string | undefined;
}

const idle: TagState = { running: false, done: 0, total: 0 };

/** A state that tells clients of its changes, a few times a second at most. */
export class TagProgress {
  #state: TagState = idle;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly announce: () => void,
    private readonly quietMs = 250,
  ) {}

  get state(): TagState {
    return this.#state;
  }

  begin(message: string): void {
    this.#state = { running: true, done: 0, total: 0, message, startedAt: new Date().toISOString() };
    this.#tellNow();
  }

  advance(change: Partial<Pick<TagState, "done" | "total" | "message">>): void {
    this.#state = { ...this.#state, ...change };
    this.#timer ??= setTimeout(() => this.#tellNow(), this.quietMs);
  }

  end(result: { message?: string | undefined; error?: string | undefined }): void {
    const { done, total, startedAt } = this.#state;
    this.#state = { running: false, done, total, startedAt, ...result };
    this.#tellNow();
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #tellNow(): void {
    this.release();
    this.announce();
  }
}

export const tagStateSchema = z.object({
  running: z.boolean(),
  done: z.number().int(),
  total: z.number().int(),
  message: z.string().optional(),
  error: z.string().optional(),
  startedAt: z.string().optional(),
});

/** Messages name libraries and files, which not everybody may know of. */
export function stateFor(state: TagState, viewer: Viewer): TagState {
  const { running, done, total, message, error, startedAt } = state;
  const open = { running, done, total, ...(startedAt !== undefined && { startedAt }) };
  if (!viewer.may("library.manage")) return open;
  return { ...open, ...(message !== undefined && { message }), ...(error !== undefined && { error }) };
}
