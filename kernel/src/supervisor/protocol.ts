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
  | { readonly kind: "restarting" };

/** Under this symbol, the kernel's process says for which request it runs at this moment. */
export const causeKey = "longbox.cause";
export const causeQuestion = `globalThis[Symbol.for(${JSON.stringify(causeKey)})]?.()`;

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

/** Set to `1` for a kernel that loads its modules and waits for {@link BeginMessage}, while its predecessor is about to be killed. */
export const standbyVariable = "LONGBOX_STANDBY";

/** The file descriptor, in the kernel's process, of the socket that the supervisor holds. */
export const socketDescriptor = 4;

/** The same socket once more: a server that waits for its turn listens on it, and closes it without closing the other. */
export const followerDescriptor = 5;

/** Set to `1` for a kernel whose predecessor got stuck at an unknown place: it is to look more closely. */
export const closeWatchVariable = "LONGBOX_CLOSE_WATCH";
