import { LongboxError } from "@longbox/sdk";
import { z } from "zod";
import { inject, injectable, token } from "../../injection.js";
import type { KeptDocument } from "../../storage/index.js";
import { describeCause, type DescribedCause, type RequestCause } from "./request-cause.js";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How long an input is refused. */
const rememberedMs = 7 * dayMs;
const mostRemembered = 500;
/** After this many blockings within an hour, a requester gets no access to the plugin whose routes were asked. */
const mostByRequester = 3;
/** How many different requests within a day make the plugin count as faulty. */
const least = { requesters: 3, inputs: 3, networks: 2 } as const;

/**
 * So many ends of its process within so long make an isolated plugin count as faulty, as those of the server do for all
 * plugins.
 */
const tooManyEnds = { count: 5, withinMs: 120_000 } as const;

const blockingSchema = z.object({
  plugin: z.string(),
  /** The plugin whose route was asked; missing in documents of older kernels, where it is `plugin`. */
  route: z.string().optional(),
  requester: z.string(),
  network: z.string(),
  method: z.string(),
  /** A hash, because the request may contain secrets. */
  input: z.string(),
  atMs: z.number(),
});
/** When the process of an isolated plugin ended without a request being the cause. */
const endSchema = z.object({ plugin: z.string(), atMs: z.number() });
export const blockingsSchema = z
  .object({ blockings: z.array(blockingSchema).default([]), ends: z.array(endSchema).default([]) })
  .default({ blockings: [], ends: [] });
export type KeptBlockings = z.output<typeof blockingsSchema>;
type Blocking = KeptBlockings["blockings"][number];

export const BlockingsDocument = token<KeptDocument<KeptBlockings>>("the document of requests that held the server up");

/** What the dispatcher asks before a plugin is called. */
export interface RefusedInputs {
  /**
   * The refusal of a request that blocked the server before, whichever plugin did so on its behalf, or of a requester
   * who did so repeatedly through the plugin whose route it is.
   */
  refusal(cause: RequestCause): LongboxError | undefined;
}
export const RefusedInputs = token<RefusedInputs>("requests that are refused");

/** This request blocked the server before, and is not tried again. */
class InputRefused extends LongboxError {
  constructor(plugin: string) {
    super(
      "unavailable",
      "kernel/input-refused",
      `This request kept the whole server waiting, or ended the process of "${plugin}", and is refused until "${plugin}" is upgraded or switched on again.`,
      { plugin },
    );
  }
}

class RequesterRefused extends LongboxError {
  constructor(plugin: string, retryAfterSeconds: number) {
    super(
      "too-many-requests",
      "kernel/requester-refused",
      `Your requests kept the whole server waiting, or ended the process of "${plugin}", ${mostByRequester} times; it takes none of them for a while.`,
      { plugin },
      { retryAfterSeconds },
    );
  }
}

/**
 * Requests in which a plugin blocked the server, or its own process, until it was killed. Each is remembered and
 * refused, so that it has no effect twice; the plugin is at fault once different users blocked it with different
 * inputs.
 */
@injectable()
export class Blockings implements RefusedInputs {
  /** By the plugin whose route it was, because every request looks. */
  readonly #byRoute = new Map<string, readonly Blocking[]>();

  #known: KeptBlockings;

  constructor(@inject(BlockingsDocument) private readonly document: KeptDocument<KeptBlockings>) {
    this.#known = document.read();
    this.#index();
  }

  /**
   * Refused at once; to be kept with {@link save}.
   * @returns whether enough different requests have blocked the plugin to count it as faulty
   */
  add(plugin: string, cause: DescribedCause): boolean {
    const { requester, network, method, input, route } = cause;
    const now = Date.now();
    const blockings = [
      ...this.#known.blockings.filter(({ atMs }) => atMs > now - rememberedMs),
      { plugin, route, requester, network, method, input, atMs: now },
    ].slice(-mostRemembered);
    this.#known = { ...this.#known, blockings };
    this.#index();
    return areTooMany(blockings.filter((one) => one.plugin === plugin && one.atMs > now - dayMs));
  }

  /**
   * The process of an isolated plugin ended by itself; to be kept with {@link save}.
   * @returns whether that has happened too often
   */
  addEnd(plugin: string): boolean {
    const now = Date.now();
    const ends = [...this.#known.ends.filter(({ atMs }) => atMs > now - tooManyEnds.withinMs), { plugin, atMs: now }];
    this.#known = { ...this.#known, ends };
    return ends.filter((end) => end.plugin === plugin).length >= tooManyEnds.count;
  }

  async save(): Promise<void> {
    await this.document.update(() => this.#known);
  }

  refusal(cause: RequestCause): LongboxError | undefined {
    const own = this.#byRoute.get(cause.route);
    if (own === undefined) return undefined;
    const { requester, method, input } = describeCause(cause);
    const same = own.find(
      (one) =>
        one.input === input &&
        one.atMs > Date.now() - rememberedMs &&
        (method === "GET" || one.requester === requester),
    );
    if (same) return new InputRefused(same.plugin);
    const recent = own.filter((one) => one.requester === requester && one.atMs > Date.now() - hourMs);
    if (recent.length < mostByRequester) return undefined;
    const { plugin, atMs } = recent.at(-mostByRequester)!;
    return new RequesterRefused(plugin, Math.max(1, Math.ceil((atMs + hourMs - Date.now()) / 1000)));
  }

  /** Called when the plugin has another version, or an admin has reset it. */
  async forgive(plugin: string): Promise<void> {
    const others = (one: { readonly plugin: string }) => one.plugin !== plugin;
    const { blockings, ends } = this.#known;
    if (blockings.every(others) && ends.every(others)) return;
    const left = () => ({
      blockings: this.#known.blockings.filter(others),
      ends: this.#known.ends.filter(others),
    });
    await this.document.update(left);
    this.#known = left();
    this.#index();
  }

  #index(): void {
    this.#byRoute.clear();
    for (const one of this.#known.blockings) {
      const route = one.route ?? one.plugin;
      // Refusing the kernel's own routes would keep an administrator from switching the plugin off, and on again.
      if (route === "kernel") continue;
      this.#byRoute.set(route, [...(this.#byRoute.get(route) ?? []), one]);
    }
  }
}

function areTooMany(blockings: readonly Blocking[]): boolean {
  const differing = (of: (one: Blocking) => string) => new Set(blockings.map(of)).size;
  return (
    differing(({ requester }) => requester) >= least.requesters &&
    differing(({ input }) => input) >= least.inputs &&
    differing(({ network }) => network) >= least.networks
  );
}
