import { createHook } from "node:async_hooks";
import fs from "node:fs";
import { currentOwner } from "./attribution.js";

/**
 * Resources that a plugin opens without the kernel: timers, servers, sockets, watchers, threads, processes, streams and
 * listeners of `process`. Node reports each when it is created. It belongs to the plugin when it is created on the plugin's behalf
 * and by a file of the plugin. Nothing that the kernel or a shared package opens for a plugin is touched.
 */
export class LeftOpen {
  readonly #prefix: string | undefined;
  #things: Array<{ readonly kind: string; readonly thing: WeakRef<object> }> = [];
  readonly #listeners: Array<{ readonly event: string | symbol; readonly listener: (...parameters: never[]) => void }> =
    [];
  #sweepAt = 64;

  /** @param folder - the plugin's; without one, nothing can be attributed to it */
  constructor(folder: string) {
    this.#prefix = folder === "/" ? undefined : folder + "/";
    watchOnce();
  }

  /**
   * Whether the code that runs right now is the plugin's: the innermost frame that is either its or the kernel's decides.
   * @param withoutFrames - the result when there is neither: Node continues in its own callbacks
   */
  made(withoutFrames: boolean): boolean {
    if (this.#prefix === undefined) return false;
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 24;
    const { stack = "" } = new Error();
    Error.stackTraceLimit = stackTraceLimit;
    for (const line of stack.split("\n").slice(1)) {
      if (line.includes(this.#prefix)) return true;
      if (line.includes(kernelFolder) && !line.includes(ownFile)) return false;
    }
    return withoutFrames;
  }

  add(kind: string, thing: object): void {
    this.#things.push({ kind, thing: new WeakRef(thing) });
    if (this.#things.length < this.#sweepAt) return;
    this.#things = this.#things.filter((one) => isOpen(one.kind, one.thing.deref()));
    this.#sweepAt = Math.max(64, this.#things.length * 2);
  }

  addListener(event: string | symbol, listener: (...parameters: never[]) => void): void {
    this.#listeners.push({ event, listener });
  }

  /** Closes everything that is still open. @returns the names of what had to be closed */
  closeAll(): string[] {
    const closed: string[] = [];
    for (const { event, listener } of this.#listeners.splice(0)) {
      // Listeners of all events are kept together; each is only compared and removed.
      if (!process.listeners(event as NodeJS.Signals).includes(listener as never)) continue;
      process.off(event as NodeJS.Signals, listener as never);
      closed.push(`a listener of process "${String(event)}"`);
    }
    for (const { kind, thing } of this.#things.splice(0)) {
      const open = thing.deref();
      if (!isOpen(kind, open)) continue;
      closed.push(kinds[kind]!.name(open!));
      kinds[kind]!.close(open!);
    }
    return closed;
  }
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
  TCPSERVERWRAP: handles("a server"),
  PIPESERVERWRAP: handles("a server"),
  UDPWRAP: handles("a socket"),
  TCPWRAP: handles("a connection"),
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

function closeOwner(handle: { close(): void }): void {
  const owner = ownerOf(handle) as { closeAllConnections?(): void; destroy?(): void; close?(): void } | undefined;
  owner?.closeAllConnections?.();
  if (owner?.destroy) owner.destroy();
  else if (owner?.close) owner.close();
  else handle.close();
}

const ownFile = import.meta.url;
const kernelFolder = new URL("../..", import.meta.url).href;
let watching = false;

/** One hook for the process. Promises are left out: there are many, and they hold nothing open by themselves. */
function watchOnce(): void {
  if (watching) return;
  watching = true;
  createHook({
    trackPromises: false,
    init(_id, type, _trigger, resource: object) {
      if (!(type in kinds) || isOfSocket(type, resource)) return;
      const leftOpen = tracked();
      if (leftOpen?.made(type !== "Timeout")) leftOpen.add(type, resource);
    },
  } as Parameters<typeof createHook>[0]).enable();
  process.on("newListener", (event, listener) => {
    const leftOpen = tracked();
    if (leftOpen?.made(false)) leftOpen.addListener(event, listener as never);
  });
  for (const stream of [fs.ReadStream, fs.WriteStream]) noteConstruction(stream.prototype as never);
}

/** Each answer restarts such a timer. It ends with its socket, which is tracked itself, and attributing it would cost more than creating it. */
function isOfSocket(type: string, timer: { hasRef?(): boolean; _onTimeout?: { name?: string } }): boolean {
  return type === "Timeout" && timer.hasRef?.() === false && timer._onTimeout?.name === "onStreamTimeout";
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
