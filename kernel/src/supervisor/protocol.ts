/** What the supervisor tells a kernel that was loaded ahead of time: the variables that it could not know yet. */
export interface BeginMessage {
  readonly kind: "begin";
  readonly environment: Readonly<Record<string, string>>;
}

/** What the kernel's process tells its supervisor. */
export type KernelMessage =
  | { readonly kind: "alive" }
  | { readonly kind: "listening"; readonly url: string }
  /** It ends to be started again. */
  | { readonly kind: "restarting" }
  /**
   * Everything is closed and on disk. It exits with this code; threads that cannot be interrupted may keep it from
   * that.
   */
  | { readonly kind: "ended"; readonly code: number };

/** Where a process is stuck, the innermost function first. */
export type Stack = readonly Frame[];

/** One function on a stack, with the URL of its file and the number of its line. */
export interface Frame {
  readonly url: string;
  readonly line: number;
  readonly functionName: string;
}

/** What a process is at, at one moment. */
export interface Sighting {
  readonly stack: Stack;
  /** The request for which it is there, as text. */
  readonly cause?: string | undefined;
}

/** Under this symbol, the kernel's process says what it is at, as the JSON of a {@link Sighting}. */
export const sightingKey = "longbox.sighting";
export const sightingQuestion = `globalThis[Symbol.for(${JSON.stringify(sightingKey)})]?.()`;

/** Under this symbol, the kernel's process answers the requests under way before it is killed. */
export const abandonKey = "longbox.abandon";
export const abandonCommand = `globalThis[Symbol.for(${JSON.stringify(abandonKey)})]?.()`;

/** The exit code that asks for another start. */
export const restartCode = 75;

/** How often the kernel says that its event loop turns. */
export const heartbeatMs = 500;

/** Set for a kernel that has a supervisor: `first`, or `again` when another kernel has served before. */
export const supervisedVariable = "LONGBOX_SUPERVISED";

/** Set for a kernel that starts without some plugins, because the ones before it ended too often. */
export const heldBackVariable = "LONGBOX_HELD_BACK";

/**
 * Set to `1` for a kernel that loads its modules and waits for {@link BeginMessage}, while its predecessor is about to
 * be killed.
 */
export const standbyVariable = "LONGBOX_STANDBY";

/** The file descriptor, in the kernel's process, of the socket that the supervisor holds. */
export const socketDescriptor = 4;

/**
 * The same socket once more: a server that waits for its turn listens on it, and closes it without closing the other.
 */
export const followerDescriptor = 5;

/** Set to `1` for a kernel whose predecessor got stuck at an unknown place: it is to look more closely. */
export const closeWatchVariable = "LONGBOX_CLOSE_WATCH";
