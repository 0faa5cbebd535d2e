import type { ChildProcess } from "node:child_process";
import { causeQuestion } from "./protocol.js";

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

/**
 * Asks a process whose event loop does not turn where it is. V8's debugger listens on a thread of its own, so it can
 * stop even an endless loop. What is stuck outside of JavaScript cannot be asked, and the answer is then empty.
 */
export async function findStack(
  child: ChildProcess,
  limitMs: number,
  isInPlugin: (stack: Stack) => boolean,
): Promise<Sighting> {
  const { promise, resolve } = Promise.withResolvers<Sighting>();
  const timer = setTimeout(() => resolve(nothing), limitMs);
  let printed = "";
  let socket: WebSocket | undefined;
  const listen = (chunk: Buffer) => {
    printed += chunk.toString("utf8");
    const url = announcement.exec(printed)?.[1];
    if (url !== undefined) socket ??= askDebugger(url, isInPlugin, resolve);
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
function askDebugger(
  url: string,
  isInPlugin: (stack: Stack) => boolean,
  found: (sighting: Sighting) => void,
): WebSocket {
  const socket = new WebSocket(url);
  const scripts = new Map<string, string>();
  let asked = 0;
  let looks = 0;
  let stack: Stack = [];
  let question: number | undefined;
  const ask = (method: string, params: object = {}) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ id: (asked += 1), method, params }));
    return asked;
  };
  socket.onopen = () => {
    ask("Debugger.enable");
    ask("Debugger.pause");
  };
  socket.onerror = () => found(nothing);
  socket.onmessage = ({ data }) => {
    const event = JSON.parse(String(data)) as DebuggerEvent;
    if (event.method === "Debugger.scriptParsed") scripts.set(event.params.scriptId, event.params.url);
    if (question !== undefined && event.id === question) return found({ stack, cause: textOf(event) });
    if (event.method !== "Debugger.paused") return;
    if ((looks += 1) > 1) {
      stack = stackOf(event, scripts);
      // A loop that awaits is in a function of its own only now and then; in between, promises are settled.
      if (!isInPlugin(stack) && looks < mostLooks) return again(1);
      // Asked while it stands still there, so that the answer is about what runs.
      question = ask("Runtime.evaluate", { expression: causeQuestion, returnByValue: true, silent: true });
      return;
    }
    again(betweenLooksMs);
  };
  const again = (afterMs: number) => {
    ask("Debugger.resume");
    setTimeout(ask, afterMs, "Debugger.pause");
  };
  return socket;
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
