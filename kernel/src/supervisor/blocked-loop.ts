import type { ChildProcess } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { abandonCommand, sightingQuestion, type Frame, type Sighting, type Stack } from "./protocol.js";

const nothing: Sighting = { stack: [] };

/** The time between two samples of the profile, in microseconds. */
const sampleEveryUs = 2_000;
/**
 * The least share of the samples in which a plugin's code has to be, for the process to be stuck in it. A loop that
 * awaits is in its own function in a part of them: in between, promises are settled and garbage is collected.
 */
const leastShare = 0.05;
/** How often a process is asked what it is at: in a loop that awaits, it can tell at some moments only. */
const mostQuestions = 20;
/** Longer than the time between two signs of life. */
export const betweenLooksMs = 1_000;
const announcement = /Debugger listening on (ws:\/\/\S+)/;

/** Who looks at a process that does not turn. */
export interface Looker {
  /** Called when the process has answered: what it is at is JavaScript. */
  answers(): void;
  isInPlugin(stack: Stack): boolean;
  /** How long the process still may be silent, in milliseconds: it is watched until then. */
  patienceLeftMs(): number;
  /** Whether a process that is found in a plugin will be killed, so that it has to say its last words. */
  willKill(): boolean;
}

/** How long a process may take for its last words. */
const lastWordsMs = 500;

/**
 * Watches a process whose event loop does not turn. V8's inspector listens on a thread of its own, so it can interrupt
 * even an endless loop. The debugger would hold the process still, and V8 may crash where it does so (it checks the
 * scopes of a function that is just being entered), which a server that is merely slow must not come to harm by: only
 * expressions are evaluated in between, and the profiler is asked. What is stuck outside of JavaScript cannot be asked,
 * and the answer is then empty.
 */
export async function findStack(child: ChildProcess, limitMs: number, looker: Looker): Promise<Sighting> {
  const { promise, resolve } = Promise.withResolvers<Sighting>();
  const timer = setTimeout(() => resolve(nothing), limitMs);
  let printed = "";
  let socket: WebSocket | undefined;
  const listen = (chunk: Buffer) => {
    printed += chunk.toString("utf8");
    const url = announcement.exec(printed)?.[1];
    if (url !== undefined) socket ??= askInspector(url, looker, resolve);
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

interface Answer {
  readonly id?: number;
  readonly result?: {
    /** Of an expression. */
    readonly result?: { readonly value?: unknown };
    readonly profile?: Profile;
  };
}

/** What the process was at, as a tree of functions; each sample names the innermost one. */
interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples?: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
  /** The lines at which it was itself, from 1. */
  readonly positionTicks?: ReadonlyArray<{ readonly line: number; readonly ticks: number }>;
}

/** A process that gets on closes the connection, since it was merely short of time. */
function askInspector(url: string, looker: Looker, found: (sighting: Sighting) => void): WebSocket {
  const socket = new WebSocket(url);
  const inspected = new Inspected((text) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(text);
  });
  const foundNothing = () => found(nothing);
  // What the process tells may be anything: a plugin that runs in it can make its answers.
  socket.onopen = () => void examine(inspected, looker).then(found, foundNothing);
  socket.onerror = socket.onclose = foundNothing;
  socket.onmessage = ({ data }) => inspected.hear(JSON.parse(String(data)) as Answer);
  return socket;
}

/** The inspector of a process, which may never answer. */
class Inspected {
  readonly #send: (text: string) => void;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #asked = 0;

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  ask(method: string, params: object = {}): Promise<Answer> {
    const id = (this.#asked += 1);
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send(JSON.stringify({ id, method, params }));
    });
  }

  /** @returns the value of an expression, where that is a text */
  async evaluate(expression: string): Promise<string | undefined> {
    const { result } = await this.ask("Runtime.evaluate", { expression, returnByValue: true, silent: true });
    const value = result?.result?.value;
    return typeof value === "string" ? value : undefined;
  }

  hear(answer: Answer): void {
    if (answer.id === undefined) return;
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }
}

/**
 * Asks twice: a process that was merely short of time has got on in between. The functions of a loop that awaits cannot
 * be told when it is interrupted, which is between them, but they are in the profile. Never ends when the process does
 * not answer.
 */
async function examine(inspected: Inspected, looker: Looker): Promise<Sighting> {
  void inspected.ask("Profiler.enable");
  void inspected.ask("Profiler.setSamplingInterval", { interval: sampleEveryUs });
  await inspected.ask("Profiler.start");
  looker.answers();
  await pause(Math.max(betweenLooksMs, looker.patienceLeftMs()));
  let sighting = await lookWhile(inspected, ({ stack }) => !looker.isInPlugin(stack));
  const { result } = await inspected.ask("Profiler.stop");
  if (!looker.isInPlugin(sighting.stack)) {
    const stack = result?.profile ? usualStack(result.profile, looker) : [];
    if (!looker.isInPlugin(stack)) return { stack };
    const { cause } =
      sighting.cause === undefined ? await lookWhile(inspected, (at) => at.cause === undefined) : sighting;
    sighting = { stack, cause };
  }
  if (looker.willKill()) await Promise.race([inspected.evaluate(abandonCommand), pause(lastWordsMs)]);
  return sighting;
}

/** The first sighting that is enough, else the last one. */
async function lookWhile(inspected: Inspected, isTooLittle: (sighting: Sighting) => boolean): Promise<Sighting> {
  let sighting = nothing;
  for (let asked = 0; asked < mostQuestions && isTooLittle(sighting); asked++) {
    if (asked > 0) await pause(1);
    const told = await inspected.evaluate(sightingQuestion);
    if (told !== undefined) sighting = JSON.parse(told) as Sighting;
  }
  return sighting;
}

/** The stack that was seen most often in a plugin; most often at all, when a plugin was seen too rarely. */
function usualStack({ nodes, samples = [] }: Profile, looker: Looker): Stack {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parentOf = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const seen = Map.groupBy(samples, (id) => id)
    .entries()
    .map(([id, times]) => ({ times: times.length, stack: stackOf(id, byId, parentOf) }))
    .toArray()
    .sort((one, other) => other.times - one.times);
  const inPlugin = seen.filter(({ stack }) => looker.isInPlugin(stack));
  const timesInPlugin = inPlugin.reduce((sum, { times }) => sum + times, 0);
  return ((timesInPlugin >= samples.length * leastShare ? inPlugin[0] : undefined) ?? seen[0])?.stack ?? [];
}

function stackOf(
  innermost: number,
  nodes: ReadonlyMap<number, ProfileNode>,
  parentOf: ReadonlyMap<number, number>,
): Stack {
  const stack: Frame[] = [];
  for (let id: number | undefined = innermost; id !== undefined; id = parentOf.get(id)) {
    const node = nodes.get(id);
    if (node) stack.push(frameOf(node));
  }
  return stack;
}

/** At the line where it was most often; that of the function itself, when it only called others. */
function frameOf({ callFrame: { functionName, url, lineNumber }, positionTicks = [] }: ProfileNode): Frame {
  const [most] = positionTicks.toSorted((one, other) => other.ticks - one.ticks);
  return { url, functionName, line: most?.line ?? lineNumber + 1 };
}

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
