import type { ChildProcess } from "node:child_process";
import { abandonCommand, causeQuestion } from "./protocol.js";

/** One function on a stack, with the URL of its file and the number of its line. */
export interface Frame {
  readonly url: string;
  readonly line: number;
  readonly functionName: string;
}

/** Where a process is stuck, the innermost function first. */
export type Stack = readonly Frame[];

/** What a stuck process is found at. */
export interface Sighting {
  readonly stack: Stack;
  /** The request for which it is there, as {@link causeQuestion} tells it. */
  readonly cause: string | undefined;
}

const nothing: Sighting = { stack: [], cause: undefined };

/** So often is a process that does not turn looked at, until it is in the code of a plugin. */
const mostLooks = 50;
/** Longer than the time between two signs of life. */
export const betweenLooksMs = 1_000;
const announcement = /Debugger listening on (ws:\/\/\S+)/;

/** Who looks at a process that does not turn. */
export interface Looker {
  /** Called when the process stands still for the first time: what is stuck there is JavaScript. */
  standsStill(): void;
  isInPlugin(stack: Stack): boolean;
  /** How long the process still may be silent, in milliseconds: the second look comes no earlier. */
  patienceLeftMs(): number;
  /** Whether a process that is found in a plugin will be killed, so that it has to say its last words. */
  willKill(): boolean;
}

/** How long a process may take for its last words. */
const lastWordsMs = 500;

/**
 * Asks a process whose event loop does not turn where it is. V8's debugger listens on a thread of its own, so it can
 * stop even an endless loop. What is stuck outside of JavaScript cannot be asked, and the answer is then empty.
 */
export async function findStack(child: ChildProcess, limitMs: number, looker: Looker): Promise<Sighting> {
  const { promise, resolve } = Promise.withResolvers<Sighting>();
  const timer = setTimeout(() => resolve(nothing), limitMs);
  let printed = "";
  let socket: WebSocket | undefined;
  const listen = (chunk: Buffer) => {
    printed += chunk.toString("utf8");
    const url = announcement.exec(printed)?.[1];
    if (url !== undefined) socket ??= askDebugger(url, looker, resolve);
  };
  child.stderr?.on("data", listen);
  child.kill("SIGUSR1");
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    child.stderr?.off("data", listen);
    socket?.close();
  }
}

interface DebuggerEvent {
  readonly id?: number;
  readonly result?: { readonly result?: { readonly value?: unknown } };
  readonly method?: string;
  readonly params: {
    readonly scriptId: string;
    readonly url: string;
    readonly callFrames: ReadonlyArray<{
      readonly functionName: string;
      readonly location: { readonly scriptId: string; readonly lineNumber: number };
    }>;
  };
}

/**
 * Looks twice: a process that was merely short of time has got on in between, and says so to the supervisor.
 * When the connection closes, the process runs on.
 */
function askDebugger(url: string, looker: Looker, found: (sighting: Sighting) => void): WebSocket {
  const socket = new WebSocket(url);
  const examination = new Examination(looker, found, (text) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(text);
  });
  socket.onopen = () => examination.begin();
  socket.onerror = () => found(nothing);
  socket.onmessage = ({ data }) => examination.hear(JSON.parse(String(data)) as DebuggerEvent);
  return socket;
}

/** What is said with the debugger of a process. */
class Examination {
  readonly #looker: Looker;
  readonly #found: (sighting: Sighting) => void;
  readonly #send: (text: string) => void;
  readonly #scripts = new Map<string, string>();
  #asked = 0;
  #looks = 0;
  #stack: Stack = [];
  /** The number of the question for which request the process runs. */
  #question: number | undefined;
  /** The number of the command to say its last words, and what was found before. */
  #lastWords: { readonly number: number; readonly sighting: Sighting } | undefined;

  constructor(looker: Looker, found: (sighting: Sighting) => void, send: (text: string) => void) {
    this.#looker = looker;
    this.#found = found;
    this.#send = send;
  }

  begin(): void {
    this.#ask("Debugger.enable");
    this.#ask("Debugger.pause");
  }

  hear(event: DebuggerEvent): void {
    if (event.method === "Debugger.scriptParsed") this.#scripts.set(event.params.scriptId, event.params.url);
    else if (event.method === "Debugger.paused") this.#look(event);
    else if (this.#question !== undefined && event.id === this.#question) this.#hearCause(textOf(event));
    else if (this.#lastWords !== undefined && event.id === this.#lastWords.number)
      this.#found(this.#lastWords.sighting);
  }

  #look(event: DebuggerEvent): void {
    if ((this.#looks += 1) === 1) {
      this.#looker.standsStill();
      return this.#again(Math.max(betweenLooksMs, this.#looker.patienceLeftMs()));
    }
    this.#stack = stackOf(event, this.#scripts);
    // A loop that awaits is in a function of its own only now and then; in between, promises are settled.
    if (!this.#looker.isInPlugin(this.#stack) && this.#looks < mostLooks) return this.#again(1);
    // Asked while it stands still there, so that the answer is about what runs.
    this.#question = this.#ask("Runtime.evaluate", { expression: causeQuestion, returnByValue: true, silent: true });
  }

  #hearCause(cause: string | undefined): void {
    const sighting: Sighting = { stack: this.#stack, cause };
    if (!this.#looker.isInPlugin(sighting.stack) || !this.#looker.willKill()) return this.#found(sighting);
    const number = this.#ask("Runtime.evaluate", { expression: abandonCommand, silent: true });
    this.#lastWords = { number, sighting };
    setTimeout(this.#found, lastWordsMs, sighting).unref();
  }

  #again(afterMs: number): void {
    this.#ask("Debugger.resume");
    setTimeout(() => this.#ask("Debugger.pause"), afterMs);
  }

  #ask(method: string, params: object = {}): number {
    this.#asked += 1;
    this.#send(JSON.stringify({ id: this.#asked, method, params }));
    return this.#asked;
  }
}

const stackOf = ({ params }: DebuggerEvent, scripts: ReadonlyMap<string, string>): Stack =>
  params.callFrames.map(({ functionName, location }) => ({
    url: scripts.get(location.scriptId) ?? "",
    line: location.lineNumber + 1,
    functionName,
  }));

const textOf = ({ result }: DebuggerEvent): string | undefined => {
  const value = result?.result?.value;
  return typeof value === "string" ? value : undefined;
};

/** A plugin that was found on a stack, and the place in its code: `in loop (index.js:12)`. */
export interface CaughtPlugin {
  readonly plugin: string;
  readonly place: string;
}

/** The plugin whose code is innermost on a stack, by the layout of the store or by the linked folders. */
export function pluginOnStack(stack: Stack, folders: ReadonlyMap<string, string>): CaughtPlugin | undefined {
  for (const frame of stack) {
    const [, inStore, file] = /\/plugins\/store\/([a-z0-9-]+)@[^/]+\/(.+)$/.exec(frame.url) ?? [];
    if (inStore !== undefined) return { plugin: inStore, place: placeOf(frame, file!) };
    for (const [folder, id] of folders) {
      const prefix = `file://${folder}/`;
      if (frame.url.startsWith(prefix)) return { plugin: id, place: placeOf(frame, frame.url.slice(prefix.length)) };
    }
  }
  return undefined;
}

const placeOf = ({ functionName, line }: Frame, file: string) =>
  functionName === "" ? `in ${file}:${line}` : `in ${functionName} (${file}:${line})`;
