import { fileURLToPath, pathToFileURL } from "node:url";
import path from "node:path";
import { LongboxError } from "@longbox/sdk";

/** What ended a process that was not told to end. */
export type EndKind =
  /** Its code kept the event loop from everything else. */
  | "blocked"
  /** It took more memory than it may have. */
  | "memory"
  /** Its code ended it: `process.exit`, `process.abort`, or a fault of Node. */
  | "own"
  /** Another process killed it, or nothing is known. */
  | "killed";

/** How a process ended. */
export interface ProcessEnd {
  readonly kind: EndKind;
  /** In words, without a full stop. */
  readonly how: string;
  /** The plugin's function and file that ended it: `handle (index.js:12)`. */
  readonly place?: string | undefined;
  /** The last lines of its output. */
  readonly said?: string | undefined;
}

/** Whose code ended a process. */
export type EndedBy =
  /** The plugin's own: it is the only one in the process, or its last words name it. */
  | "plugin"
  /** Another plugin's in the same process. */
  | "sharer"
  /** It cannot be told: several plugins were in the process. */
  | "unknown";

/** With whom a plugin shared its process. */
export interface EndShared {
  /** The ids of the other plugins in it; empty for a process of the plugin's own. */
  readonly sharers: readonly string[];
  readonly by: EndedBy;
}

/** The process of an isolated plugin ended without being told to. */
export class ProcessEnded extends LongboxError {
  readonly end: ProcessEnd;
  readonly shared: EndShared;

  constructor(plugin: string, end: ProcessEnd, shared: EndShared = { sharers: [], by: "plugin" }) {
    const isShared = shared.sharers.length > 0;
    const whose = isShared ? `the plugins ${quoted([plugin, ...shared.sharers])}` : `the plugin "${plugin}"`;
    super(
      "unavailable",
      "kernel/isolated-ended",
      `The process of ${whose} ended: ${end.how}.`,
      { plugin, how: end.how, ...(isShared && { sharers: shared.sharers }) },
      { retryAfterSeconds: 2 },
    );
    this.end = end;
    this.shared = shared;
  }

  /** What happened, for an administrator: with the place in the code, where it is known. */
  get account(): string {
    const { how, place } = this.end;
    const { sharers, by } = this.shared;
    const process = sharers.length === 0 ? "Its process" : `The process that it shared with ${quoted(sharers)}`;
    const told = `${process} ended${place === undefined ? "" : ` in ${place}`}: ${how}.`;
    return by === "unknown" ? `${told} Whose code ended it cannot be told.` : told;
  }
}

const quoted = (ids: readonly string[]) => ids.map((id) => `"${id}"`).join(", ");

/** What comes after one of these lines was written when the process ended. */
const lastLines = ["The process is ended here.", "JavaScript stack trace"];

/** The part of the output that the end itself wrote; undefined when it wrote none. */
export function wordsOfEnd(said: string): string | undefined {
  const at = Math.max(...lastLines.map((line) => said.lastIndexOf(line)));
  return at === -1 ? undefined : said.slice(at);
}

/** Frames of JavaScript, as `Error.stack` and as Node's own report of an abort write them. */
const frame =
  /^\s*(?:at|\d+:) (?:(?:async )?(\S+(?: \[as \S+\])?) )?[([]?((?:file:\/\/)?\/[^()[\]]+?):(\d+)(?::\d+)?[)\]]?(?: \[.*)?$/;

/** The innermost frame of a text that lies in a folder. @returns `function (file:line)` */
export function placeIn(text: string, folder: string): string | undefined {
  const inside = [`${folder}/`, `${pathToFileURL(folder).href}/`];
  for (const line of text.split("\n")) {
    const [, name = "the module", file = "", at] = frame.exec(line) ?? [];
    if (!inside.some((start) => file.startsWith(start))) continue;
    const own = file.startsWith("file://") ? fileURLToPath(file) : file;
    return `${name} (${path.relative(folder, own)}:${at})`;
  }
  return undefined;
}
