import type { BlockedNote } from "./blocked-note.js";

/** The plugins that a start leaves out: named ones, those of other publishers, or all. */
export type HeldBack = readonly string[] | "guests" | "all";

/** How the runs of the kernel before this one ended. */
export interface FormerEnds {
  /** The plugin that ended the last one, and the request in which it did, if any. */
  readonly blocked?: BlockedNote | undefined;
  /** The plugins without which this one starts, because too many ended. */
  readonly heldBack?: HeldBack;
}

/** After so many ends within so long, the next kernel starts without the plugins that are to blame. */
const limit = { count: 5, withinMs: 120_000 };

/** Decides how a kernel is started after others have ended by themselves. */
export class RepeatedEnds {
  #ends: { readonly atMs: number; readonly plugin: string | undefined }[] = [];
  #heldBack: HeldBack = [];

  get heldBack(): HeldBack {
    return this.#heldBack;
  }

  /**
   * @param plugin - The one that ended the kernel, if that is known
   * @returns whether another start makes sense
   */
  add(plugin: string | undefined): boolean {
    const atMs = Date.now();
    this.#ends = [...this.#ends.filter((end) => end.atMs > atMs - limit.withinMs), { atMs, plugin }];
    if (this.#ends.length < limit.count) return true;
    const blamed = this.#ends.map((end) => end.plugin).filter((id) => id !== undefined);
    this.#ends = [];
    if (this.#heldBack === "all") return false;
    if (this.#heldBack === "guests") this.#heldBack = "all";
    else this.#heldBack = blamed.length > 0 ? [...new Set([...this.#heldBack, ...blamed])] : "guests";
    return true;
  }
}

/** As the value of an environment variable. */
export const heldBackText = (heldBack: HeldBack) => (typeof heldBack === "string" ? heldBack : heldBack.join(","));

export function readHeldBack(text: string | undefined): HeldBack {
  if (text === "guests" || text === "all") return text;
  return text === undefined || text === "" ? [] : text.split(",");
}
