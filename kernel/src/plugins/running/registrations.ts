import {
  isLongboxError,
  LongboxError,
  releasable,
  type Conflict,
  type Contributions,
  type ExtensionPoint,
  type Releasable,
  type Route,
} from "@longbox/sdk";
import type { MountedBefore, MountedRoutes } from "../../http/routing/mounting.js";
import { Activation } from "./activation.js";
import { Capabilities } from "../contracts/capabilities.js";
import type { Rules } from "../contracts/contribution-rules.js";
import { type Contributed, ExtensionPoints, type Misfit, type Offered } from "../contracts/extension-points.js";
import { placeIn } from "../examining/import-effects.js";
import type { Mistake } from "../examining/mistakes.js";
import type { Callable } from "../contracts/pending-calls.js";
import { HostParts } from "../host-parts.js";
import { inject, injectable } from "../../injection.js";

/** What another activation has published already. */
export interface PublishedBefore {
  /** The registrations of the version whose place is taken. */
  readonly instead?: Registrations | undefined;
  /** Ids of plugins that were faster and come later in the order of the start. */
  readonly outranks?: ReadonlySet<string> | undefined;
}

/** Owners look through all of them, again and again. */
const mostContributions = 2_000;

/** A contribution, and the stack of the call that added it. */
interface Given extends Offered {
  readonly stack: string;
}

/**
 * The routes, contracts and contributions of one activation. They are published only after the whole
 * activation has succeeded, so that a half-started plugin is never seen, and one version can take the place of another.
 */
@injectable()
export class Registrations {
  readonly #activation: Activation;
  readonly #parts: HostParts;
  readonly #capabilities: Capabilities;
  readonly #points: ExtensionPoints;
  readonly #routes: Route[] = [];
  readonly #provides = new Map<string, { readonly version: string; readonly implementation: object }>();
  readonly #waiting = new Set<() => void>();
  readonly #visible: Callable[] = [];
  readonly #contributions = new Set<Contributed>();
  readonly #given = new Set<Given>();
  #mounted: MountedRoutes | undefined;
  #live = false;

  constructor(
    @inject(Activation) activation: Activation,
    @inject(HostParts) parts: HostParts,
    @inject(Capabilities) capabilities: Capabilities,
    @inject(ExtensionPoints) points: ExtensionPoints,
  ) {
    this.#activation = activation;
    this.#parts = parts;
    this.#capabilities = capabilities;
    this.#points = points;
  }

  get routes(): readonly Route[] {
    return this.#routes;
  }

  get mounted(): MountedRoutes | undefined {
    return this.#mounted;
  }

  provides(capability: string): boolean {
    return this.#provides.has(capability);
  }

  route(routes: readonly Route[]): void {
    const before = this.#routes.length;
    this.#routes.push(...routes);
    if (!this.#live) return;
    try {
      this.#mount({ instead: this.#mounted });
    } catch (refusal) {
      this.#routes.length = before;
      throw refusal;
    }
  }

  provide(capability: string, version: string, implementation: object): void {
    this.#provides.set(capability, { version, implementation });
    if (this.#live) this.#showCapability(capability);
  }

  open(point: ExtensionPoint<object>, rules?: Rules): Contributions<object> & Releasable {
    return this.#points.open(this.#activation, point, rules);
  }

  contribute(offered: Offered): Releasable {
    if (this.#contributions.size + this.#waiting.size >= mostContributions)
      throw new LongboxError(
        "internal",
        "kernel/too-many-contributions",
        `The plugin "${this.#activation.id}" adds more than ${mostContributions} contributions to extension points.`,
      );
    if (this.#live) return this.#showContribution(offered);
    const given: Given = { ...offered, stack: new Error().stack ?? "" };
    this.#given.add(given);
    let made: Releasable | undefined;
    const later = () => void (made = this.#showContribution(offered));
    this.#waiting.add(later);
    return releasable(() => {
      this.#given.delete(given);
      this.#waiting.delete(later);
      return made?.release();
    });
  }

  /** What the owners of extension points say against the contributions of the start. */
  async contributionMistakes(): Promise<Mistake[]> {
    const given = [...this.#given];
    const { plugin } = this.#activation;
    const refusals = await this.#points.problemsOf(this.#activation, given);
    return given.flatMap(({ point, stack }, at) => {
      const { identity, problems } = refusals[at]!;
      if (problems.length === 0) return [];
      const place = placeIn(plugin.folder, stack);
      const where = place === undefined ? "" : ` (${place.file}, line ${place.line})`;
      const message = `A contribution to "${point}"${identity}${where} is not accepted by its owner: ${problems.join("; ")}.`;
      return [{ code: "contribution-refused" as const, message, ...place }];
    });
  }

  /** The extension points to which the start adds, and whose owners have opened a version that does not fit. */
  get misfits(): Misfit[] {
    return this.#points.misfitsOf(this.#activation, [...this.#given]);
  }

  /** Whether everything could be published. @throws {LongboxError} when a route is another plugin's */
  verify(instead?: Registrations): void {
    this.#parts.routes.verify(this.#activation, this.#routes, { instead: instead?.mounted });
  }

  /** Whether a route asks for a permission that nothing has declared yet. */
  get areEarly(): boolean {
    try {
      this.verify();
      return false;
    } catch (refusal) {
      return isLongboxError(refusal) && refusal.code === "kernel/undeclared-permission";
    }
  }

  /**
   * Makes everything reachable; with `instead`, in place of another version's.
   * @returns the outranked plugins that have to be stopped, with the reason
   * @throws {LongboxError} when a route is another plugin's; then nothing has been shown
   */
  publish({ instead, outranks }: PublishedBefore = {}): ReadonlyMap<string, Conflict> {
    this.#mount({ instead: instead?.mounted, outranks });
    this.#live = true;
    for (const capability of this.#provides.keys()) this.#showCapability(capability);
    instead?.hide();
    for (const show of this.#waiting) show();
    this.#waiting.clear();
    return this.#mounted?.displaced ?? new Map<string, Conflict>();
  }

  /** Releases what another version has taken over, except for calls that are still running. */
  hide(): void {
    for (const contribution of this.#contributions) contribution.hide();
  }

  /** Settles once no call is under way here, or after the limit. */
  async ended(limitMs: number): Promise<void> {
    await Promise.all(this.#visible.map((shown) => shown.ended(limitMs)));
  }

  /** Takes everything back; work that is under way may still end, calls by contract are refused. */
  async withdraw(): Promise<void> {
    this.#live = false;
    for (const shown of this.#visible.splice(0).reverse()) await shown.release();
    await this.#mounted?.release();
  }

  #mount(before: MountedBefore): void {
    if (this.#routes.length === 0) {
      void before.instead?.release();
      return;
    }
    const counted = this.#routes.map((route) => this.#counted(route));
    this.#mounted = this.#parts.routes.mount(this.#activation, counted, before);
  }

  /** The route, with its handler and its credential scheme counted as running requests. */
  #counted(route: Route): Route {
    const { credentials } = route;
    return {
      ...route,
      credentials: credentials && {
        id: credentials.id,
        secretHeaders: credentials.secretHeaders ?? [],
        secretParameters: credentials.secretParameters ?? [],
        secretQuery: credentials.secretQuery ?? [],
        ...(credentials.basicRealm !== undefined && { basicRealm: credentials.basicRealm }),
        claimedName: (presented) => credentials.claimedName?.(presented),
        identify: async (presented) => this.#activation.handle(() => credentials.identify(presented)),
      },
      handle: (request: Parameters<Route["handle"]>[0]) => this.#activation.handle(() => route.handle(request)),
    };
  }

  #showCapability(capability: string): void {
    const { version, implementation } = this.#provides.get(capability)!;
    this.#visible.push(this.#capabilities.provide(this.#activation, { capability, version, implementation }));
  }

  #showContribution(offered: Offered): Releasable {
    const shown = this.#points.contribute(this.#activation, offered);
    this.#contributions.add(shown);
    this.#visible.push(shown);
    return releasable(() => {
      this.#contributions.delete(shown);
      return shown.release();
    });
  }
}
