import { createHook } from "node:async_hooks";
import type { EventEmitter } from "node:events";
import fs from "node:fs";
import https from "node:https";
import type { AddressInfo, Socket } from "node:net";
import http from "../../node-http.js";
import { isOwnTimer } from "../../own-timers.js";
import { currentOwner } from "./attribution.js";

/**
 * Resources that a plugin opens without the kernel: timers, servers, sockets, watchers, threads, processes, streams and
 * listeners of emitters that the whole process shares. Node reports each when it is created. It belongs to the plugin
 * when it is created on the plugin's behalf and by a file of the plugin. Nothing that the kernel or a shared package
 * opens for a plugin is touched.
 */
export class LeftOpen {
  readonly #prefix: string | undefined;
  #things: Opened[] = [];
  readonly #listeners: Listening[] = [];
  #sweepAt = 64;
  #closed = false;

  /** @param folder - the plugin's; without one, nothing can be attributed to it */
  constructor(folder: string) {
    this.#prefix = folder === "/" ? undefined : folder + "/";
    watchOnce();
  }

  /**
   * Something was created while code ran on the plugin's behalf. What a stopped plugin's own code creates is closed at
   * once.
   */
  created(kind: string, thing: object): void {
    const origin = this.#origin();
    if (this.#closed) {
      if (origin.isOwn) process.nextTick(() => isOpen(kind, thing) && kinds[kind]!.close(thing));
      // In its own callbacks Node continues what was begun; timers it also starts for itself.
    } else if (origin.isOwn || (origin.isOpen && !isTimer(kind))) this.add(kind, thing, origin.place);
  }

  add(kind: string, thing: object, place?: string): void {
    this.#things.push({ kind, thing: new WeakRef(thing), place });
    if (this.#things.length < this.#sweepAt) return;
    this.#things = this.#things.filter((one) => isOpen(one.kind, one.thing.deref()));
    this.#sweepAt = Math.max(64, this.#things.length * 2);
  }

  /** A listener is about to be added to an emitter that belongs to the whole process. */
  listening(added: Omit<Listening, "place">): void {
    const { isOwn, place } = this.#origin(/node:events|node:internal\/streams\/|^process\.emit /);
    if (!isOwn) return;
    if (this.#closed) process.nextTick(() => removeListener(added));
    else this.#listeners.push({ ...added, place });
  }

  /**
   * Closes everything that is still open.
   * @returns what had to be closed, and the place in the plugin's files that opened it
   */
  closeAll(): string[] {
    this.#closed = true;
    const closed: string[] = [];
    for (const { place, ...added } of this.#listeners.splice(0))
      if (removeListener(added)) closed.push(named(`a listener of ${added.name} "${String(added.event)}"`, place));
    for (const { kind, thing, place } of this.#things.splice(0)) {
      const open = thing.deref();
      if (!isOpen(kind, open)) continue;
      closed.push(named(kinds[kind]!.name(open!), place));
      kinds[kind]!.close(open!);
    }
    return closed;
  }

  /**
   * Whose code runs right now: the innermost frame that is either the plugin's or the kernel's decides.
   * @param passed - frames of Node that may lie above it; by default any
   */
  #origin(passed?: RegExp): Origin {
    if (this.#prefix === undefined) return notOwn;
    let isBelowHook = false;
    for (const frame of framesHere()) {
      const line = String(frame);
      const at = line.indexOf(this.#prefix);
      if (at >= 0) return { isOwn: true, isOpen: false, place: placeIn(line.slice(at + this.#prefix.length)) };
      // Node calls the hooks of this file, so the kernel's frames above the first one of Node are theirs.
      if (!isBelowHook && line.includes(kernelFolder)) continue;
      isBelowHook = true;
      if (line.includes(kernelFolder) || (passed && !passed.test(line))) return notOwn;
    }
    return { isOwn: false, isOpen: true, place: undefined };
  }
}

/**
 * As V8 keeps them: of most, the text is never needed, and whatever shows stacks otherwise has no say in it. Where a
 * plugin has frozen `Error`, they come as text.
 */
function framesHere(): readonly unknown[] {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Reflect.set(Error, "stackTraceLimit", 24);
  Reflect.set(Error, "prepareStackTrace", (_fault: Error, frames: readonly NodeJS.CallSite[]) => frames);
  const { stack } = new Error() as { stack?: unknown };
  Reflect.set(Error, "stackTraceLimit", stackTraceLimit);
  Reflect.set(Error, "prepareStackTrace", prepareStackTrace);
  if (Array.isArray(stack)) return stack;
  return String(stack)
    .split("\n")
    .slice(1)
    .map((line) => line.replace(/^\s*at /, ""));
}

interface Opened {
  readonly kind: string;
  readonly thing: WeakRef<object>;
  readonly place: string | undefined;
}

interface Listening {
  readonly emitter: EventEmitter;
  /** The emitter, as code names it. */
  readonly name: string;
  readonly event: string | symbol;
  readonly listener: (...parameters: any[]) => void;
  readonly place: string | undefined;
}

interface Origin {
  /** The plugin's own code runs. */
  readonly isOwn: boolean;
  /** Neither its code nor the kernel's is on the stack. */
  readonly isOpen: boolean;
  /** The file below the plugin's folder, with its line. */
  readonly place: string | undefined;
}

const notOwn: Origin = { isOwn: false, isOpen: false, place: undefined };

/** @param frame - what follows the plugin's folder in a line of a stack: `lib/a.js?v=1:12:34)` */
function placeIn(frame: string): string | undefined {
  const [, file, line] = /^([^?:]+)(?:\?[^:]*)?:(\d+)/.exec(frame) ?? [];
  return file === undefined ? undefined : `${file}:${line}`;
}

function named(what: string, place: string | undefined): string {
  return place === undefined ? what : `${what} (${place})`;
}

/** @returns whether it was still there; `once` keeps a listener inside another one */
function removeListener({ emitter, event, listener }: Omit<Listening, "place" | "name">): boolean {
  if (!emitter.listeners(event).includes(listener)) return false;
  emitter.off(event, listener);
  return true;
}

function isTimer(kind: string): boolean {
  return kind === "Timeout" || kind === "Immediate";
}

/** The tracker of the plugin whose code runs, if any. */
export interface Tracking {
  readonly leftOpen: LeftOpen;
}

interface Kind {
  isOpen(thing: any): boolean;
  name(thing: any): string;
  close(thing: any): void;
}

/** A closed handle of Node has no `hasRef` result; calling any other method of it may abort the process. */
function handles(name: string, close: (handle: any) => void = closeOwner): Kind {
  return { isOpen: (handle) => handle.hasRef() !== undefined, name: () => name, close };
}

/** The kinds of resources, by Node's names for them. The owner of a handle is the public object. */
const kinds: Readonly<Record<string, Kind>> = {
  Timeout: {
    isOpen: (timer) => !timer._destroyed,
    name: (timer) => (timer._repeat === null ? "a timeout" : "an interval"),
    close: (timer) => clearTimeout(timer),
  },
  Immediate: {
    isOpen: (immediate) => !immediate._destroyed,
    name: () => "an immediate",
    close: (immediate) => clearImmediate(immediate),
  },
  TCPSERVERWRAP: { ...handles("a server"), name: (handle) => `a server${placeOf(ownerOf(handle)?.address(), "on")}` },
  PIPESERVERWRAP: handles("a server"),
  UDPWRAP: handles("a socket"),
  TCPWRAP: { ...handles("a connection"), name: (handle) => `a connection${placeOf(peerOf(ownerOf(handle)), "to")}` },
  PIPEWRAP: handles("a connection"),
  FSEVENTWRAP: handles("a file watcher"),
  STATWATCHER: handles("a file watcher"),
  WORKER: handles("a worker thread", (handle) => handle.stopThread()),
  PROCESSWRAP: handles("a process", (handle) => handle.kill(9)),
  STREAM: {
    isOpen: (stream) => !stream.closed && !stream.destroyed,
    name: (stream) => `a stream of ${stream.path}`,
    close: (stream) => stream.destroy(),
  },
};

function isOpen(kind: string, thing: object | undefined): boolean {
  return thing !== undefined && kinds[kind]!.isOpen(thing);
}

function ownerOf(handle: object): any {
  const symbol = Object.getOwnPropertySymbols(handle).find((candidate) => candidate.description === "owner_symbol");
  return symbol && (handle as Record<symbol, unknown>)[symbol];
}

function peerOf(socket: Socket | undefined): Partial<AddressInfo> | undefined {
  return { address: socket?.remoteAddress, port: socket?.remotePort } as Partial<AddressInfo>;
}

/** Where a server or a connection is in the network, for those that Node opens after the plugin's code has returned. */
function placeOf(at: Partial<AddressInfo> | null | undefined, word: string): string {
  return at?.port === undefined ? "" : ` ${word} ${at.address}:${at.port}`;
}

function closeOwner(handle: { close(): void }): void {
  const owner = ownerOf(handle) as { closeAllConnections?(): void; destroy?(): void; close?(): void } | undefined;
  owner?.closeAllConnections?.();
  if (owner?.destroy) owner.destroy();
  else if (owner?.close) owner.close();
  else handle.close();
}

/** Emitters that belong to the whole process. Standard input is left out: looking at it would open it. */
const sharedEmitters: Readonly<Record<string, EventEmitter>> = {
  process,
  "process.stdout": process.stdout,
  "process.stderr": process.stderr,
  "http.globalAgent": http.globalAgent as unknown as EventEmitter,
  "https.globalAgent": https.globalAgent as unknown as EventEmitter,
};

const kernelFolder = new URL("../..", import.meta.url).href;
let watching = false;

/** One hook for the process. Promises are left out: there are many, and they hold nothing open by themselves. */
function watchOnce(): void {
  if (watching) return;
  watching = true;
  createHook({
    trackPromises: false,
    init(_id, type, _trigger, resource: object) {
      if (!(type in kinds) || isOwnTimer() || isOfAnswer(type, resource)) return;
      tracked()?.created(type, resource);
    },
  } as Parameters<typeof createHook>[0]).enable();
  for (const [name, emitter] of Object.entries(sharedEmitters))
    emitter.on("newListener", (event, listener) => tracked()?.listening({ emitter, name, event, listener }));
  for (const stream of [fs.ReadStream, fs.WriteStream]) noteConstruction(stream.prototype as never);
}

/**
 * The callbacks of timers that Node itself starts while an answer is sent: the timeout of the socket, which is tracked
 * itself, and the timer that discards the cached text of the `Date` header each second.
 */
const answering: ReadonlySet<string | undefined> = new Set(["onStreamTimeout", "resetCache"]);

/**
 * Attributing such a timer would cost more than creating it. A plugin cannot create one that looks the same: its timers
 * are referenced when they are created, except those of `node:timers/promises`, whose callbacks are Node's.
 */
function isOfAnswer(type: string, timer: { hasRef?(): boolean; _onTimeout?: { name?: string } }): boolean {
  return type === "Timeout" && timer.hasRef?.() === false && answering.has(timer._onTimeout?.name);
}

function tracked(): LeftOpen | undefined {
  return (currentOwner() as Partial<Tracking> | undefined)?.leftOpen;
}

/** File streams hold a descriptor that Node does not announce; they are seen as they open it. */
function noteConstruction(prototype: { _construct(done: (failure?: Error) => void): void }): void {
  const original = prototype._construct;
  prototype._construct = function (this: object, done) {
    tracked()?.add("STREAM", this);
    original.call(this as never, done);
  };
}
