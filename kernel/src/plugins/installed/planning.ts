import { satisfies } from "../contracts/satisfying.js";

/** What the planner knows of one installed plugin. Nothing here needs its code. */
export interface PlannedPlugin {
  readonly id: string;
  readonly requires: Readonly<Record<string, string>>;
  readonly optional: Readonly<Record<string, string>>;
  readonly provides: Readonly<Record<string, string>>;
  /** The extension points that it opens. */
  readonly opens?: Readonly<Record<string, string>>;
  /** The extension points that it contributes to. */
  readonly contributes?: Readonly<Record<string, string>>;
}

export interface Plan {
  /** Ids of the plugins that can run, every provider before those who need it. */
  readonly order: readonly string[];
  /** Why each of the others cannot. */
  readonly unsatisfied: ReadonlyMap<string, string>;
}

/**
 * Decides which of the enabled plugins can run, and in which order they start.
 *
 * The set grows from what needs nothing, so that a cycle never starts. Of two providers of one contract the earlier in
 * the list wins. A plugin that opens an extension point comes before those that contribute to it, where that is
 * possible: they stop in the opposite order, and what runs for a contribution ends before its owner. The same input
 * always gives the same plan.
 */
export function plan(enabled: readonly PlannedPlugin[], kernelProvides: ReadonlyMap<string, string> = new Map()): Plan {
  const providers = new Map<string, { readonly by: string; readonly version: string }>();
  for (const [capability, version] of kernelProvides) providers.set(capability, { by: "kernel", version });
  const order: string[] = [];
  const rejected = new Map<string, string>();
  let waiting = [...enabled];
  for (;;) {
    const next = pickNext(waiting, providers, rejected);
    if (!next) break;
    for (const [capability, version] of Object.entries(next.provides))
      providers.set(capability, { by: next.id, version });
    order.push(next.id);
    waiting = waiting.filter((plugin) => plugin !== next);
  }
  const reasons = waiting.map(
    (plugin) => [plugin.id, rejected.get(plugin.id) ?? reasonFor(plugin, waiting, providers)] as const,
  );
  return { order, unsatisfied: new Map(reasons) };
}

type Providers = ReadonlyMap<string, { readonly by: string; readonly version: string }>;

/**
 * The first plugin that can start. Plugins whose optional providers have not been placed yet come later, and so do
 * those that contribute to a plugin which has not.
 */
function pickNext(
  waiting: readonly PlannedPlugin[],
  providers: Providers,
  rejected: Map<string, string>,
): PlannedPlugin | undefined {
  const ready = waiting.filter(
    (plugin) =>
      !rejected.has(plugin.id) &&
      Object.entries(plugin.requires).every(([capability, range]) => provides(providers, capability, range)),
  );
  const free = ready.filter((plugin) => {
    const taken = Object.keys(plugin.provides).find((capability) => providers.has(capability));
    if (taken === undefined) return true;
    rejected.set(plugin.id, `The capability "${taken}" is provided by "${providers.get(taken)!.by}" already.`);
    return false;
  });
  const coming = waiting.filter((plugin) => !rejected.has(plugin.id));
  const comingSoon = new Set(coming.flatMap((plugin) => Object.keys(plugin.provides)));
  const hasItsProviders = (plugin: PlannedPlugin) =>
    !Object.keys(plugin.optional).some(
      (capability) => !(capability in plugin.provides) && comingSoon.has(capability) && !providers.has(capability),
    );
  const willBeOpened = (plugin: PlannedPlugin) => coming.some((other) => other !== plugin && opensFor(other, plugin));
  const first = free.filter(hasItsProviders);
  return first.find((plugin) => !willBeOpened(plugin)) ?? first[0] ?? free[0];
}

/** Whether one opens an extension point that the other contributes to, in a version that fits. */
export function opensFor(
  { opens = {} }: Pick<PlannedPlugin, "opens">,
  { contributes = {} }: Pick<PlannedPlugin, "contributes">,
): boolean {
  return Object.entries(opens).some(
    ([point, version]) => contributes[point] !== undefined && satisfies(version, contributes[point]),
  );
}

function provides(providers: Providers, capability: string, range: string): boolean {
  const provider = providers.get(capability);
  return provider !== undefined && satisfies(provider.version, range);
}

function reasonFor(plugin: PlannedPlugin, waiting: readonly PlannedPlugin[], providers: Providers): string {
  const cycle = findCycle(plugin, waiting);
  if (cycle) return `The requirements form a cycle: ${cycle.join(" → ")}.`;
  const missing = Object.entries(plugin.requires).filter(
    ([capability, range]) => !provides(providers, capability, range),
  );
  return missing.map((requirement) => missingReason(requirement, waiting, providers)).join(" ");
}

function missingReason(
  [capability, range]: readonly [capability: string, range: string],
  waiting: readonly PlannedPlugin[],
  providers: Providers,
): string {
  const present = providers.get(capability);
  if (present) return `It needs "${capability}" ${range}, and "${present.by}" provides ${present.version}.`;
  const stuck = waiting.find((other) => capability in other.provides);
  if (stuck) return `It needs "${capability}" ${range} from "${stuck.id}", which cannot run either.`;
  return `It needs "${capability}" ${range}, which no plugin provides.`;
}

/** The path of a cycle that leads back to this plugin, as ids, or undefined. */
export function findCycle(start: PlannedPlugin, plugins: readonly PlannedPlugin[]): string[] | undefined {
  const seen = new Set<string>();
  const walk = (plugin: PlannedPlugin, path: string[]): string[] | undefined => {
    for (const capability of Object.keys(plugin.requires)) {
      for (const provider of plugins.filter((other) => capability in other.provides)) {
        if (provider.id === start.id) return [...path, start.id];
        if (seen.has(provider.id)) continue;
        seen.add(provider.id);
        const found = walk(provider, [...path, provider.id]);
        if (found) return found;
      }
    }
    return undefined;
  };
  return walk(start, [start.id]);
}
