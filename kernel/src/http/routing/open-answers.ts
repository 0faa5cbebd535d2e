import { LongboxError, replyKind, type Reply } from "@longbox/sdk";
import { Roles } from "../../access/accounts/roles.js";
import { Revocations } from "../../access/identifying/revocations.js";
import { inject, injectable } from "../../injection.js";
import { currentCause, type RequestCause } from "../../plugins/containment/request-cause.js";
import type { Routed } from "../receiving/carried.js";
import { isThenable } from "../../thenable.js";
import { OwnerStopped } from "./failing.js";
import type { RouteOwner } from "./mounting.js";

/** Time for handlers that follow the signal of their request to end by themselves, in milliseconds. */
const graceMs = 100;

interface OpenAnswer {
  readonly carried: Routed;
  /** The request, as what it does later is attributed to it. */
  readonly cause: RequestCause | undefined;
  isOver: boolean;
  /** What is being sent is made by code of the plugin, piece by piece. */
  isProduced: boolean;
  end(error: LongboxError): void;
}

/** What a handler does, and how its result is sent. */
interface Work {
  handle(): unknown;
  send(result: unknown): void | Promise<void>;
}

/**
 * The requests whose answers are not complete: they end when their plugin stops, or their user loses the right to them.
 */
@injectable()
export class OpenAnswers {
  readonly #open = new Set<OpenAnswer>();
  readonly #watched = new WeakSet<RouteOwner>();

  constructor(@inject(Revocations) revocations: Revocations, @inject(Roles) roles: Roles) {
    revocations.onRevoked((revocation) => {
      if (!revocation.isOfViewOnly) this.#endReads(({ grant }) => grant !== undefined && revocation.ends(grant));
    });
    roles.onChanged(() => this.#endReads(lacksPermission));
  }

  /**
   * Done once the answer is complete or cannot be any more. Nothing that lasts until then holds the result: it would
   * stay in memory until a slow reader has it all.
   * @throws what ended it before anything was sent
   */
  follow(carried: Routed, { handle, send }: Work): Promise<void> | void {
    this.#watch(carried.compiled.owner);
    const result = handle();
    if (isThenable(result)) {
      const { one, ended } = this.#begin(carried);
      const sending = Promise.resolve(result).then((value) => sendOnce(one, value, send));
      sending.then(ended.resolve, ended.reject);
      return this.#untilEnded(one, ended);
    }
    // Most have been sent by then.
    const sending = send(result);
    if (!sending) return undefined;
    const { one, ended } = this.#begin(carried);
    one.isProduced = isProduced(result);
    sending.then(ended.resolve, ended.reject);
    return this.#untilEnded(one, ended);
  }

  #begin(carried: Routed): { readonly one: OpenAnswer; readonly ended: PromiseWithResolvers<void> } {
    const ended = Promise.withResolvers<void>();
    const one: OpenAnswer = {
      carried,
      cause: currentCause(),
      isOver: false,
      isProduced: false,
      end: (error) => end(one, error, ended),
    };
    this.#open.add(one);
    return { one, ended };
  }

  #untilEnded(one: OpenAnswer, { promise }: PromiseWithResolvers<void>): Promise<void> {
    return promise.finally(() => this.#open.delete(one));
  }

  #watch(owner: RouteOwner): void {
    if (this.#watched.has(owner)) return;
    this.#watched.add(owner);
    owner.signal.addEventListener("abort", () => setTimeout(() => this.#endOf(owner), graceMs).unref(), { once: true });
  }

  /**
   * What has sent nothing yet never would, and a stream of the plugin's would go on for ever. A file is sent to its
   * end.
   */
  #endOf(owner: RouteOwner): void {
    for (const one of this.#open) {
      const { compiled, response } = one.carried;
      if (compiled.owner === owner && (one.isProduced || !response.headersSent)) one.end(new OwnerStopped());
    }
  }

  /**
   * Changes that are under way are not interrupted: their answers hold nothing that may not be known any more. Neither
   * is the request that ends the right itself, such as one that signs in again.
   */
  #endReads(which: (carried: Routed) => boolean): void {
    const ending = currentCause();
    for (const one of this.#open) {
      const { request } = one.carried;
      if (ending !== undefined && one.cause === ending) continue;
      if ((request.method === "GET" || request.method === "HEAD") && which(one.carried)) this.#endRead(one);
    }
  }

  /** A stream of events ends by itself, and completely; what is cut off is an error to a browser. */
  #endRead(one: OpenAnswer): void {
    const { response } = one.carried;
    const endNow = () => !response.writableEnded && this.#open.has(one) && one.end(new RightsEnded());
    if (response.headersSent) setTimeout(endNow, graceMs).unref();
    else endNow();
  }
}

function sendOnce(one: OpenAnswer, result: unknown, send: Work["send"]): Promise<void> | void {
  if (one.isOver) return;
  one.isProduced = isProduced(result);
  return send(result);
}

const producedKinds: ReadonlySet<string> = new Set(["stream", "ranges", "filled"]);

function isProduced(result: unknown): boolean {
  if (replyKind(result) === undefined) return false;
  const { content } = result as Partial<Extract<Reply, { readonly content: unknown }>>;
  return typeof content === "object" && producedKinds.has(content.kind);
}

class RightsEnded extends LongboxError {
  constructor() {
    super("forbidden", "kernel/rights-ended", "The right to this answer was taken away during the request.");
  }
}

function end(one: OpenAnswer, error: LongboxError, ended: PromiseWithResolvers<void>): void {
  one.isOver = true;
  const { response } = one.carried;
  if (!response.headersSent) return ended.reject(error);
  response.destroy();
  ended.resolve();
}

const lacksPermission = ({ compiled: { permission }, grant }: Routed) =>
  permission !== undefined && grant?.may(permission) === false;
