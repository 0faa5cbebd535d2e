import type { Duplex } from "node:stream";
import { LongboxError } from "@longbox/sdk";
import { describeFailure, failureValues, rebuildFailure } from "./failures.js";
import { BrokenFrame, FrameReader, writeFrame } from "./frames.js";
import { Exports, Imports } from "./references.js";
import { SignalCrossing } from "./signals.js";
import { streamKind } from "./streams.js";
import {
  Values,
  type FunctionRule,
  type Reading,
  type ReferenceShape,
  type SpecialKind,
  type Writing,
} from "./values.js";

/** What the other side may call by name. */
export type Doors = Readonly<Record<string, (...parameters: never[]) => unknown>>;

export interface ChannelOptions {
  readonly doors: () => Doors;
  /** Kinds of objects that cross in a way of their own, besides those that every channel knows. */
  readonly kinds?: readonly SpecialKind[];
  /** Which functions this side may send where nothing else is said. */
  readonly rule: FunctionRule;
  /** Runs what the other side calls. */
  readonly run?: <T>(work: () => T) => T;
  /**
   * Hears once that the other side has closed the connection, or that it broke.
   * @param fault - what broke it
   * @returns why calls are refused; undefined while that is not known: they wait until {@link Channel.end} is called
   */
  readonly lost: (fault: Error | undefined) => Error | undefined;
  /** Hears of a message without an answer that failed. */
  readonly failed: (fault: unknown, door: string) => void;
}

/** How one call differs from others. */
export interface CallOptions {
  readonly rule?: FunctionRule;
  /** What is called, for the error about a value that cannot cross. */
  readonly place?: string;
}

interface Pending {
  resolve(value: unknown): void;
  reject(reason: unknown): void;
  readonly afterwards: readonly (() => void)[];
}

/** So many calls of the other side may be under way. */
const mostServed = 5_000;

/** Calls in both directions over one connection between the kernel and an isolated plugin. */
export class Channel {
  readonly #stream: Duplex;
  readonly #options: ChannelOptions;
  readonly #reader = new FrameReader();
  readonly #pending = new Map<number, Pending>();
  readonly #exports = new Exports();
  readonly #imports: Imports;
  readonly #signals: SignalCrossing;
  readonly #values: Values;
  #next = 1;
  #served = 0;
  #isLost = false;
  #ended: Error | undefined;

  constructor(stream: Duplex, options: ChannelOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#imports = new Imports((number, count) => this.#sendShort(["d", number, count]));
    this.#signals = new SignalCrossing((number, reason) => this.#sendShort(["a", number, reason]));
    const referring = {
      send: (thing: object) => this.#exports.send(thing),
      receive: (number: number, shape: ReferenceShape) =>
        this.#imports.receive(number, () => this.#standIn(number, shape)),
      numberOf: (thing: object) => this.#imports.numberOf(thing),
      home: (number: number) => this.#home(number),
    };
    const calling = {
      call: (target: number, method: string, given: unknown[]) => this.#call({ target, method }, given),
      referring,
    };
    this.#values = new Values(referring, [...(options.kinds ?? []), this.#signals, streamKind(calling)]);
    stream.on("data", (piece: Buffer) => this.#hear(piece));
    stream.on("error", () => this.#lose());
    stream.on("close", () => this.#lose());
  }

  /** Calls to the other side that are under way. */
  get underWay(): number {
    return this.#pending.size;
  }

  /** The objects of this side that the other holds, by their number. */
  sent(): Iterable<readonly [number: number, thing: object]> {
    return this.#exports.entries();
  }

  /** What stands here for an object of the other side. */
  received(number: number): object | undefined {
    return this.#imports.find(number);
  }

  /** Calls a door of the other side. */
  call(door: string, parameters: readonly unknown[], options: CallOptions = {}): Promise<unknown> {
    return this.#call({ target: 0, method: door }, parameters, options);
  }

  /** The same without an answer. @throws when the message cannot be sent */
  tell(door: string, parameters: readonly unknown[], options: CallOptions = {}): void {
    if (this.#ended || this.#isLost) return;
    const { writing } = this.#writing(door, options);
    const given = parameters.map((value) => this.#values.write(value, writing));
    this.#send(["t", door, given], writing.parts);
  }

  /** Refuses all calls that are under way, and all later ones. */
  end(reason: Error): void {
    if (this.#ended) return;
    this.#ended = reason;
    for (const { reject, afterwards } of this.#pending.values()) {
      reject(reason);
      for (const work of afterwards) work();
    }
    this.#pending.clear();
    this.#exports.clear();
    this.#signals.abortAll(reason);
    this.#stream.destroy();
  }

  #lose(fault?: Error): void {
    if (this.#ended || this.#isLost) return;
    this.#isLost = true;
    this.#stream.destroy();
    const reason = this.#options.lost(fault);
    if (reason) this.end(reason);
  }

  #call({ target, method }: Meant, given: readonly unknown[], options: CallOptions = {}): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    const { writing, afterwards } = this.#writing(method, options);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const number = this.#next;
    this.#next += 1;
    if (this.#isLost) {
      this.#pending.set(number, { resolve, reject, afterwards });
      return promise;
    }
    try {
      const written = given.map((value) => this.#values.write(value, writing));
      this.#pending.set(number, { resolve, reject, afterwards });
      writeFrame(this.#stream, { head: ["c", number, target, method, written], parts: writing.parts });
    } catch (fault) {
      this.#pending.delete(number);
      for (const work of afterwards) work();
      reject(fault);
    }
    return promise;
  }

  #writing(method: string, { rule = this.#options.rule, place = `An argument of ${method}` }: CallOptions) {
    const afterwards: (() => void)[] = [];
    const writing: Writing = {
      parts: [],
      rule,
      place,
      send: (thing) => this.#exports.send(thing),
      afterwards: (work) => void afterwards.push(work),
    };
    return { writing, afterwards };
  }

  #standIn(number: number, { kind, fields, methods }: ReferenceShape): object {
    if (kind === "function") return (...given: unknown[]) => this.#call({ target: number, method: "" }, given);
    // Each method keeps the stand-in: as long as one of them can be called, the other side keeps the object.
    const call =
      (method: string) =>
      (...given: unknown[]) =>
        this.#call({ target: this.#imports.numberOf(standIn)!, method }, given);
    const standIn: object = Object.assign(fields, Object.fromEntries(methods.map((name) => [name, call(name)])));
    return standIn;
  }

  #home(number: number): object {
    const thing = this.#exports.find(number);
    if (!thing) throw new BrokenFrame("An object that is not here any more was meant.");
    return thing;
  }

  #hear(piece: Buffer): void {
    if (this.#ended || this.#isLost) return;
    try {
      for (const { head, parts } of this.#reader.read(piece)) this.#take(head, parts);
    } catch (fault) {
      this.#lose(fault instanceof Error ? fault : new Error(String(fault)));
    }
  }

  #take(head: unknown, parts: readonly Uint8Array[]): void {
    if (!Array.isArray(head)) throw new BrokenFrame("A message has no kind.");
    const [kind, first, second, third, fourth] = head as unknown[];
    const number = kind === "t" ? 0 : wholeNumber(first);
    if (kind === "c")
      void this.#serve({ number, target: wholeNumber(second), method: String(third), given: fourth, parts });
    else if (kind === "t") this.#hearTold(String(first), second, parts);
    else if (kind === "r") this.#settle(number, (values) => ({ value: values.read(second, this.#reading(parts)) }));
    else if (kind === "e") this.#settle(number, (values) => ({ failure: this.#failure(values, head, parts) }));
    else if (kind === "d") this.#exports.drop(number, wholeNumber(second));
    else if (kind === "a") this.#signals.aborted(number, second);
    else throw new BrokenFrame("A message is of an unknown kind.");
  }

  #failure(values: Values, head: readonly unknown[], parts: readonly Uint8Array[]): Error {
    const reading = this.#reading(parts);
    return rebuildFailure(head[2], { details: values.read(head[3], reading), body: values.read(head[4], reading) });
  }

  #settle(number: number, read: (values: Values) => { readonly value?: unknown; readonly failure?: Error }): void {
    const pending = this.#pending.get(number);
    if (!pending) return;
    this.#pending.delete(number);
    for (const work of pending.afterwards) work();
    try {
      const { value, failure } = read(this.#values);
      if (failure) pending.reject(failure);
      else pending.resolve(value);
    } catch (fault) {
      // It is refused with all others, once it is known how the other side ended.
      this.#pending.set(number, { ...pending, afterwards: [] });
      throw fault;
    }
  }

  async #serve(asked: Asked): Promise<void> {
    const afterwards: (() => void)[] = [];
    this.#served += 1;
    try {
      const value = await this.#perform(asked, (work) => void afterwards.push(work));
      const writing: Writing = { ...this.#writing(asked.method, { place: `The result of ${asked.method}` }).writing };
      const written = this.#values.write(value, writing);
      this.#send(["r", asked.number, written], writing.parts);
    } catch (fault) {
      this.#refuse(asked.number, fault);
    } finally {
      this.#served -= 1;
      for (const work of afterwards) work();
    }
  }

  #perform({ target, method, given, parts }: Asked, afterwards: Writing["afterwards"]): unknown {
    if (this.#served > mostServed)
      throw new LongboxError("unavailable", "kernel/isolated-overloaded", "Too many calls at once.");
    const parameters = this.#read(given, this.#reading(parts, afterwards));
    const run = this.#options.run ?? ((work) => work());
    if (target === 0) return run(() => this.#door(method)(...(parameters as never[])));
    const thing = this.#exports.find(target);
    if (!thing) throw gone(method);
    const called: unknown = method === "" ? thing : Reflect.get(thing, method);
    if (typeof called !== "function" || !isCallable(method)) throw gone(method);
    return run(() => Reflect.apply(called, thing, parameters) as unknown);
  }

  #reading(parts: readonly Uint8Array[], afterwards: Writing["afterwards"] = ignore): Reading {
    return { parts, afterwards, receive: (number, standIn) => this.#imports.receive(number, () => standIn) };
  }

  #read(given: unknown, reading: Reading): unknown[] {
    if (!Array.isArray(given)) throw new BrokenFrame("A call has no parameters.");
    return given.map((value) => this.#values.read(value, reading));
  }

  #door(name: string): (...parameters: never[]) => unknown {
    const doors = this.#options.doors();
    const door = Object.hasOwn(doors, name) ? doors[name] : undefined;
    if (!door) throw gone(name);
    return door;
  }

  #hearTold(door: string, given: unknown, parts: readonly Uint8Array[]): void {
    const run = this.#options.run ?? ((work) => work());
    const failed = (fault: unknown) => this.#options.failed(fault, door);
    try {
      const parameters = this.#read(given, this.#reading(parts));
      const result = run(() => this.#door(door)(...(parameters as never[])));
      if (result instanceof Promise) result.catch(failed);
    } catch (fault) {
      failed(fault);
    }
  }

  #refuse(number: number, fault: unknown): void {
    const { writing } = this.#writing("an error", { rule: "promising", place: "The details of an error" });
    try {
      const { details, body } = failureValues(fault);
      const written = [details, body].map((value) => this.#values.write(value, writing));
      this.#send(["e", number, describeFailure(fault), ...written], writing.parts);
    } catch {
      // Details that cannot cross are left out; the error itself is told.
      const nothing = { $: "u" };
      this.#sendShort(["e", number, describeFailure(fault), nothing, nothing]);
    }
  }

  #send(head: unknown, parts: readonly Uint8Array[]): void {
    if (!this.#ended && !this.#isLost) writeFrame(this.#stream, { head, parts });
  }

  /** For short messages that must not get lost: when they do not fit either, the other side has stopped reading. */
  #sendShort(head: unknown): void {
    try {
      this.#send(head, []);
    } catch (fault) {
      this.#lose(fault as Error);
    }
  }
}

/** A method of an object of the other side; a door where the object is 0. */
interface Meant {
  readonly target: number;
  readonly method: string;
}

interface Asked {
  readonly number: number;
  readonly target: number;
  readonly method: string;
  readonly given: unknown;
  readonly parts: readonly Uint8Array[];
}

const ignore = () => {};

/** @throws {BrokenFrame} */
function wholeNumber(told: unknown): number {
  if (typeof told !== "number" || !Number.isSafeInteger(told) || told < 0)
    throw new BrokenFrame("A number is missing in a message.");
  return told;
}

/** Methods of the language itself are no part of an object that was sent. */
const isCallable = (method: string) =>
  method === "" || (!(method in Object.prototype) && !(method in Function.prototype));

function gone(method: string): LongboxError {
  return new LongboxError(
    "unavailable",
    "kernel/isolated-gone",
    `What has the method "${method}" is not there any more.`,
  );
}
