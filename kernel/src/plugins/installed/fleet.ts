import { isLongboxError, LongboxError, type Conflict, type PluginDefinition, type Releasable } from "@longbox/sdk";
import type { Blocked, Member } from "./member.js";
import { plan, type PlannedPlugin } from "./planning.js";
import { importMissing } from "../examining/started.js";
import { ProcessEnded } from "../isolated/fence/process-ended.js";
import { RunningPlugin } from "../running/running-plugin.js";
import { Surroundings } from "../running/surroundings.js";
import { Happening } from "../../events/happening.js";
import { startTogether } from "../running/starting.js";
import { Turns } from "../turns.js";
import { inject, injectable } from "../../injection.js";
import { withTitle } from "../../settings/index.js";
import { isDatabaseAway } from "../../storage/index.js";

/** Code that says so cannot start before it has been configured. */
const needsConfigCode = /\/needs-config$/;

/** How often a plugin is started that could not because the database server was away. */
const betweenTriesMs = 1_000;
const beingStarted = "It is being started.";

interface Start {
  /** The members that are started together, in their order. */
  readonly together: readonly Member[];
  /** How many decisions on what should run had been made when it began. */
  readonly reconciled: number;
}

/** All plugins that are here, and the one place where they are started and stopped. */
@injectable()
export class Fleet {
  readonly members = new Map<string, Member>();
  /** The versions of the contracts that the kernel itself provides. */
  readonly kernelProvides = new Map<string, string>();
  readonly #running: Surroundings;
  readonly #changed = new Happening<void>();
  #unblocked: (id: string) => void = () => {};
  /** Starts a member whose data has to be brought to its version. */
  #settle: (member: Member, definition: PluginDefinition) => Promise<RunningPlugin> = () =>
    Promise.reject(new Error("No listener settles data."));

  readonly #turns: Turns;

  constructor(@inject(Surroundings) running: Surroundings, @inject(Turns) turns: Turns) {
    this.#running = running;
    this.#turns = turns;
  }

  /** Called after every change of the installed or running plugins. */
  onChanged(listener: () => void): Releasable {
    return this.#changed.on(listener);
  }

  /** Hears that a plugin may be able to start which was not: see {@link retryBlocked}. */
  onUnblocked(unblocked: (id: string) => void): void {
    this.#unblocked = unblocked;
  }

  onSettling(settle: (member: Member, definition: PluginDefinition) => Promise<RunningPlugin>): void {
    this.#settle = settle;
  }

  /**
   * Moves what runs to what is wanted: stops what may not run any more, dependants first, and starts what can, side by
   * side, but providers first. A plugin that fails to start counts as absent, and the rest is decided again. Others
   * have their turns while plugins start: one that hangs holds up only those that need it.
   */
  async reconcile(): Promise<void> {
    this.#reconciled += 1;
    while (!this.#running.stopping.aborted) {
      const wanted = this.plan();
      await this.#stopAllBut(new Set(wanted.order));
      const ready = this.#ready(wanted.order);
      if (ready.length === 0) break;
      await this.asStarting(() => this.#startAll(ready));
    }
    for (const member of this.members.values())
      if (!member.enabled || member.blocked?.state !== "needs-config") await this.#stopWaiting(member);
    this.#changed.tell();
  }

  /** What kept a plugin from starting may be over: its settings have changed, or its database may be back. */
  async retryBlocked(id: string): Promise<void> {
    const member = this.members.get(id);
    const { state, code } = member?.blocked ?? {};
    if (!member || (state !== "needs-config" && code !== "kernel/database-away")) return;
    member.blocked = undefined;
    await this.reconcile();
  }

  /** Tells that something about the plugins is different. */
  announce(): void {
    this.#changed.tell();
  }

  /** What could run now, and why the rest cannot. */
  plan(): ReturnType<typeof plan> {
    const enabled = [...this.members.values()].filter((member) => member.enabled && !member.blocked);
    const decided = plan(enabled.map(planned), this.kernelProvides);
    for (const member of this.members.values())
      member.unsatisfied = member.starting ? beingStarted : decided.unsatisfied.get(member.plugin.id);
    return decided;
  }

  /** Stops everything, dependants first. */
  async stopAll(): Promise<void> {
    await this.#stopAllBut(new Set());
    for (const member of this.members.values()) await this.#stopWaiting(member);
  }

  /** The order in which the plugins that run were started. */
  runningInOrder(): Member[] {
    return this.#started
      .map((id) => this.members.get(id))
      .filter((member) => member?.running !== undefined) as Member[];
  }

  #started: string[] = [];
  #startingNow = 0;
  /** Counts the decisions on what should run. */
  #reconciled = 0;

  async #stopAllBut(keep: ReadonlySet<string>): Promise<void> {
    for (const member of withDependants(this.runningInOrder(), keep).reverse()) await this.stop(member);
  }

  async stop(member: Member): Promise<void> {
    const { running } = member;
    member.running = undefined;
    this.#started = this.#started.filter((id) => id !== member.plugin.id);
    await running?.stop();
    member.leftOpen = running?.activation.closedForIt ?? [];
  }

  /** Takes note that a plugin was started outside of the plan's order: an upgrade. */
  noteStarted(member: Member, running: RunningPlugin): void {
    member.running = running;
    if (!this.#started.includes(member.plugin.id)) this.#started.push(member.plugin.id);
  }

  /** Whether some plugin is on its way, so that what is missing now may be there soon. */
  get starting(): boolean {
    return this.#startingNow > 0;
  }

  /** Until `work` ends, a plugin that is missing counts as one that is being started. */
  async asStarting(work: () => Promise<void>): Promise<void> {
    this.#startingNow += 1;
    try {
      await work();
    } finally {
      this.#startingNow -= 1;
    }
  }

  /** The members that can start now. Those that need one which is being started already follow when that has ended. */
  #ready(order: readonly string[]): Member[] {
    const providers = new Map<string, Member>();
    const later = new Set<Member>();
    const ready: Member[] = [];
    for (const member of order.map((id) => this.members.get(id)!)) {
      const { requires, provides } = member.plugin.manifest;
      const waits = Object.keys(requires).some((capability) => later.has(providers.get(capability)!));
      if (member.starting || waits) later.add(member);
      else if (!member.running) ready.push(member);
      for (const capability of Object.keys(provides)) providers.set(capability, member);
    }
    return ready;
  }

  async #startAll(starting: readonly Member[]): Promise<void> {
    const reconciled = this.#reconciled;
    const ended = new Map(starting.map((member) => [member, Promise.withResolvers<void>()]));
    for (const [member, { promise }] of ended) {
      member.unsatisfied = beingStarted;
      member.starting = promise;
    }
    const end = (member: Member) => {
      member.starting = undefined;
      ended.get(member)!.resolve();
    };
    try {
      await this.#turns.aside(() =>
        startTogether(starting, this.#running.limits.patienceMs, {
          activate: async (member) => {
            const ready = await this.#activateOrBlock(member);
            if (!ready) end(member);
            return ready;
          },
          isEarly: (running) => running.registrations.areEarly,
          publish: (member, running) =>
            this.#publishOrBlock(member, running, { together: starting, reconciled }).finally(() => end(member)),
        }),
      );
    } finally {
      for (const member of starting) if (member.starting === ended.get(member)!.promise) end(member);
    }
  }

  /** Whether a plugin may run that was about to when its start began; others may have decided since. */
  #isStillWanted(member: Member, reconciled: number): boolean {
    if (reconciled === this.#reconciled) return true;
    return this.members.get(member.plugin.id) === member && this.plan().order.includes(member.plugin.id);
  }

  async #activateOrBlock(member: Member): Promise<RunningPlugin | undefined> {
    try {
      await this.#stopWaiting(member);
      return await this.activate(member);
    } catch (failure) {
      this.#block(member, failure);
      return undefined;
    }
  }

  async #publishOrBlock(member: Member, running: RunningPlugin, { together, reconciled }: Start): Promise<boolean> {
    if (!this.#isStillWanted(member, reconciled)) {
      await running.stop();
      return false;
    }
    const later = together.slice(together.indexOf(member) + 1).filter((other) => other.running !== undefined);
    let displaced: ReturnType<RunningPlugin["publish"]>;
    try {
      displaced = running.publish({ outranks: new Set(later.map(({ plugin }) => plugin.id)) });
    } catch (refusal) {
      await running.stop();
      this.#block(member, refusal);
      return false;
    }
    member.unsatisfied = undefined;
    this.noteStarted(member, running);
    for (const [id, refusal] of displaced) await this.#displace(this.members.get(id)!, refusal);
    this.#changed.tell();
    return true;
  }

  /** Which of two plugins gets what both claim must not depend on which was faster. */
  async #displace(member: Member, refusal: Conflict): Promise<void> {
    await this.stop(member);
    this.#block(member, refusal);
  }

  /** Keeps a plugin that could not be started again from running, until an administrator acts. */
  async fail(member: Member, failure: unknown): Promise<void> {
    await this.stop(member);
    this.#block(member, failure);
    await this.reconcile();
  }

  #block(member: Member, failure: unknown): void {
    member.blocked = blockedBy(failure);
    if (member.blocked.state === "needs-config") this.#waitForSettings(member);
    if (isDatabaseAway(failure)) setTimeout(() => this.#unblocked(member.plugin.id), betweenTriesMs).unref();
    this.#running.report(member.plugin.id, failure, "activate");
  }

  #waitForSettings(member: Member): void {
    const { id } = member.plugin;
    if (!member.definition?.settings) return;
    const group = this.#running.parts.settings.open(
      id,
      withTitle(member.definition.settings, member.plugin.manifest.title),
    );
    group.onChange(() => this.#unblocked(id));
    member.waitingForSettings = group;
  }

  async #stopWaiting(member: Member): Promise<void> {
    const waiting = member.waitingForSettings;
    member.waitingForSettings = undefined;
    await waiting?.release();
  }

  /** Activates a member's present version on its own data. */
  async activate(member: Member): Promise<RunningPlugin> {
    const definition = await this.definitionOf(member);
    if (member.settling) return this.#settle(member, definition);
    try {
      return await this.#open(member, definition);
    } catch (failure) {
      // Another plugin may have ended the process that they shared: it says nothing about this one, which is alone now.
      if (!(failure instanceof ProcessEnded) || failure.shared.sharers.length === 0) throw failure;
      return this.#open(member, definition);
    }
  }

  async #open({ plugin }: Member, definition: PluginDefinition): Promise<RunningPlugin> {
    const storage = await this.#running.parts.storage.open(plugin.id);
    return RunningPlugin.activate({ plugin, definition, storage }, this.#running);
  }

  async definitionOf(member: Member): Promise<PluginDefinition> {
    member.definition ??= await this.#running.load(member.plugin);
    return member.definition;
  }
}

/**
 * The members that are not kept, and those that need one of them: where another plugin takes a contract over, they
 * start again on it.
 * @param running - in the order of their start
 */
function withDependants(running: readonly Member[], keep: ReadonlySet<string>): Member[] {
  const lost = new Set<string>();
  return running.filter(({ plugin: { id, manifest } }) => {
    if (keep.has(id) && !Object.keys(manifest.requires).some((capability) => lost.has(capability))) return false;
    for (const capability of Object.keys(manifest.provides)) lost.add(capability);
    return true;
  });
}

function planned(member: Member): PlannedPlugin {
  const { id, manifest } = member.plugin;
  const { requires, optional, provides, opens, contributes } = manifest;
  return { id, requires, optional, provides, opens, contributes };
}

export function blockedBy(failure: unknown): Blocked {
  const state = isLongboxError(failure) && needsConfigCode.test(failure.code) ? "needs-config" : "failed";
  return {
    state,
    reason: failure instanceof Error ? failure.message : String(failure),
    ...(isLongboxError(failure)
      ? { code: failure.code, details: failure.details }
      : isMissingImport(failure)
        ? { code: importMissing }
        : {}),
  };
}

const isMissingImport = (failure: unknown) =>
  failure instanceof Error && (failure as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND";

/** There is no plugin of this name. */
export class PluginNotFound extends LongboxError {
  constructor(name: string) {
    super("not-found", "kernel/plugin-not-found", `There is no plugin "${name}".`, { name });
  }
}
