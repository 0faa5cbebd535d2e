import { isParameter, isRest } from "./route-table.js";
import { alikeSpelling } from "./spelling.js";

/** The path of a route, as it is compared with those of all others whenever routes are mounted. */
export class ComparedPath {
  /** With its parameters made anonymous: two routes clash when their shapes and methods are the same. */
  readonly shape: string;
  readonly #segments: readonly string[];

  constructor(path: string) {
    this.shape = path
      .split("/")
      .map((segment) => (isRest(segment) ? "{...}" : isParameter(segment) ? "{}" : segment))
      .join("/");
    this.#segments = alikeSpelling(path).split("/");
  }

  /**
   * Whether some path is matched by both, of which only one is without parameters in a place where the other has one.
   */
  overlaps(other: ComparedPath): boolean {
    if (this.shape === other.shape) return false;
    const [own, theirs] = [this.#segments, other.#segments];
    const length = Math.max(own.length, theirs.length);
    for (let at = 0; at < length; at += 1) {
      if (restAt(own, at) || restAt(theirs, at)) return true;
      const [one, another] = [own[at], theirs[at]];
      if (one === undefined || another === undefined) return false;
      if (one !== another && !one.startsWith("{") && !another.startsWith("{")) return false;
    }
    return true;
  }
}

function restAt(segments: readonly string[], at: number): boolean {
  return segments[Math.min(at, segments.length - 1)]?.endsWith("...}") === true;
}
