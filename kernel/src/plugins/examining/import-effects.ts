import { existsSync, readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { observeGlobals } from "./global-changes.js";
import type { Mistake } from "./mistakes.js";

/** What keeps a process alive, by Node's names, and in the words of a report. */
const openKinds = new Map([
  ["Timeout", "starts a timer"],
  ["TCPServerWrap", "opens a server"],
  ["TCPSocketWrap", "opens a connection"],
  ["UDPWrap", "opens a socket"],
  ["FSEventWrap", "watches files"],
  ["ProcessWrap", "starts a process"],
  ["MessagePort", "starts a thread"],
  ["Immediate", "goes on in immediates"],
]);

/**
 * Notes what a module does besides defining things while it is imported. For a thread in which nothing else runs.
 * @returns ends the observation, and tells what was found
 */
export function observeImport(folder: string): () => Promise<Mistake[]> {
  const failures = observeFailures(folder);
  const globals = observeGlobals();
  const open = countOpen();
  const timers = observeTimers(folder);
  return async () => {
    timers.end();
    // What ends by itself is given a turn of the event loop to do so.
    await new Promise((resolve) => setImmediate(resolve));
    await untilAnswered();
    const changed = globals();
    const opened = [...countOpen()].filter(([kind, count]) => count > (open.get(kind) ?? 0)).map(([kind]) => kind);
    // One that keeps no process alive is not counted among what is open.
    if (timers.hasRunning() && !opened.includes("Timeout")) opened.push("Timeout");
    return [
      ...failures(),
      ...changed.map((what) => effect(what)),
      ...opened.map((kind) => effect(openKinds.get(kind)!, kind === "Timeout" ? timers.first() : undefined)),
    ];
  };
}

/** What is asked of the system and answered soon, such as the reading of a file. */
const asked = new Set(["FSReqCallback", "FSReqPromise", "GetAddrInfoReqWrap", "TCPConnectWrap"]);
const answerLimitMs = 500;

/** A promise that is not awaited may fail only once the system has answered. */
async function untilAnswered(): Promise<void> {
  const end = performance.now() + answerLimitMs;
  const isWaiting = () => process.getActiveResourcesInfo().some((kind) => asked.has(kind));
  while (isWaiting() && performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
}

/** Notes what fails outside of the import itself: promises that are not awaited, callbacks. */
function observeFailures(folder: string): () => Mistake[] {
  const failures: unknown[] = [];
  const note = (failure: unknown) => void failures.push(failure);
  const events = ["unhandledRejection", "uncaughtException"] as const;
  for (const event of events) process.on(event, note);
  return () => {
    for (const event of events) process.off(event, note);
    return failures.map((failure) => failed(failure, folder));
  };
}

function failed(failure: unknown, folder: string): Mistake {
  const { message, stack = "" } = failure instanceof Error ? failure : new Error(String(failure));
  const place = placeIn(folder, failure instanceof Error ? stack : "");
  const where = place === undefined ? "The module" : `The module, in ${place.file} at line ${place.line},`;
  const told = message.replaceAll(`${folder}/`, "");
  const sentence = `${where} starts something when it is imported that is not awaited, and that fails: ${told}. Work begins in activate.`;
  return { code: "failure-at-import", message: sentence, ...place };
}

/** A place in a file of a package. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

function effect(what: string, place?: Place): Mistake {
  const where = place === undefined ? "The module" : `The module, in ${place.file} at line ${place.line},`;
  const message = `${where} ${what} when it is imported. Work begins in activate, so that it can end with the plugin.`;
  return { code: "work-at-import", message, ...place };
}

function countOpen(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo())
    if (openKinds.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Where the first timer was started. */
function observeTimers(folder: string) {
  const original = { setTimeout: globalThis.setTimeout, setInterval: globalThis.setInterval };
  const started: NodeJS.Timeout[] = [];
  let first: Place | undefined;
  const apply = (target: (...given: never[]) => unknown, self: unknown, given: unknown[]): unknown => {
    const place = placeIn(folder, new Error().stack ?? "");
    const timer = Reflect.apply(target, self, given) as NodeJS.Timeout;
    if (place) started.push(timer);
    first ??= place;
    return timer;
  };
  for (const name of ["setTimeout", "setInterval"] as const)
    Object.assign(globalThis, { [name]: new Proxy<(...given: never[]) => unknown>(original[name], { apply }) });
  return {
    end: () => void Object.assign(globalThis, original),
    first: () => first,
    /** Whether one of them has neither run out nor been cleared. */
    hasRunning: () => started.some((timer) => !(timer as { readonly _destroyed?: boolean })._destroyed),
  };
}

/** The innermost place of a stack that lies in the folder; that in the source, where the package has a source map. */
export function placeIn(folder: string, stack: string): Place | undefined {
  for (const [, url, line, column] of stack.matchAll(/(file:\/\/[^\s)]+?):(\d+)(?::(\d+))?/g)) {
    const full = fileURLToPath(url!);
    const file = path.relative(folder, full);
    if (!file.startsWith("..") && !path.isAbsolute(file))
      return sourceOf(full, Number(line), Number(column ?? 1)) ?? { file, line: Number(line) };
  }
  return undefined;
}

/** The place in the source of a module, where it has a source map. */
export function sourceOf(file: string, line: number, column: number): Place | undefined {
  if (!existsSync(`${file}.map`)) return undefined;
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")) as SourceMapPayload);
  const found = map.findEntry(line - 1, column - 1);
  return "originalSource" in found ? { file: found.originalSource, line: found.originalLine + 1 } : undefined;
}
