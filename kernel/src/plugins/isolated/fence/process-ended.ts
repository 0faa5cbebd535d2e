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

/** The process of an isolated plugin ended without being told to. */
export class ProcessEnded extends LongboxError {
  readonly end: ProcessEnd;

  constructor(plugin: string, end: ProcessEnd) {
    super(
      "unavailable",
      "kernel/isolated-ended",
      `The process of the plugin "${plugin}" ended: ${end.how}.`,
      { plugin, how: end.how },
      { retryAfterSeconds: 2 },
    );
    this.end = end;
  }

  /** What happened, for an administrator: with the place in the code, where it is known. */
  get account(): string {
    const { how, place } = this.end;
    return place === undefined ? `Its process ended: ${how}.` : `Its process ended in ${place}: ${how}.`;
  }
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
