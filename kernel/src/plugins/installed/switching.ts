import { Conflict, isLongboxError, LongboxError, type PluginDefinition } from "@longbox/sdk";
import { cannotBeStored, translateStorageFault } from "../../storage/storage-fault.js";
import type { Storing } from "../../storage/storing.js";
import { Fleet } from "./fleet.js";
import type { Member } from "./member.js";
import type { PluginOnDisk } from "../packages/plugin-package.js";
import { refuseMistakes } from "../examining/mistakes.js";
import { mistakesOfStart } from "../examining/started.js";
import { RunningPlugin } from "../running/running-plugin.js";
import { Surroundings } from "../running/surroundings.js";
import { Turns } from "../turns.js";
import { inject, injectable } from "../../injection.js";

/** The new version could not take over; the old one serves on with its data as it was. */
export class UpgradeFailed extends LongboxError {
  constructor(plugin: PluginOnDisk, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      "conflict",
      "kernel/upgrade-failed",
      `Version ${plugin.version} of "${plugin.id}" did not start: ${reason}`,
      { plugin: plugin.id, version: plugin.version, reason },
      { cause },
    );
  }
}

/** How the desired state is changed around the moment of the switch. */
export interface SwitchRecord {
  /** The version whose data, as it left them, the new version starts on; the present data when left out. */
  readonly dataOf?: string | undefined;
  /**
   * Called once the new version has started on a copy, before the copy becomes the data.
   * @param migrated - whether the new version has changed the form of the data
   */
  commit(migrated: boolean): Promise<void>;
  /** Called when the copy could not become the data after all. */
  revert(): Promise<void>;
}

/** A version that runs on data of which it was not sure that it could read it. */
export interface Settled {
  readonly running: RunningPlugin;
  /** Where the data is that it could not read, below the data folder. */
  readonly setAside: string | undefined;
}

interface LoadedVersion {
  readonly plugin: PluginOnDisk;
  readonly definition: PluginDefinition;
}

/** Time for what a new version does right after its start to go wrong, before others depend on it. */
const probeMs = 30;
/** How long an upgrade waits for handlers of the old version. */
const handlersMs = 3_000;

/** Puts one version of a running plugin in the place of another. */
@injectable()
export class Switching {
  readonly #storage: Storing;
  readonly #running: Surroundings;
  readonly #fleet: Fleet;
  readonly #turns: Turns;
  readonly #retiring = new Set<RunningPlugin>();

  constructor(@inject(Fleet) fleet: Fleet, @inject(Surroundings) running: Surroundings, @inject(Turns) turns: Turns) {
    this.#turns = turns;
    this.#fleet = fleet;
    this.#running = running;
    this.#storage = running.parts.storage;
  }

  /**
   * Starts `next` beside the running version on a copy of its data, makes the copy the data, and swaps the routes in
   * one step. New requests wait meanwhile, and so do writes of the old version, so none that was acknowledged is lost;
   * answers that it is still sending end on it.
   * @returns where the former data is, below the data folder
   * @throws {UpgradeFailed} then the old version serves on
   */
  async swap(member: Member, next: PluginOnDisk, record: SwitchRecord): Promise<string> {
    const old = member.running!;
    const definition = await this.#turns.aside(() => this.#load(next));
    this.#requireStill(member, old, next);
    const hold = old.activation.hold();
    let former: string;
    try {
      // Handlers of the old version must not meet tables of the new one: those that run end first, new ones wait.
      await old.activation.handled(handlersMs);
      former = await this.#replace(member, { plugin: next, definition }, record);
    } finally {
      await hold.release();
    }
    this.#retire(old);
    return former;
  }

  /**
   * Starts a plugin again whose process has ended: in its old place, so that those who use it go on. Requests wait
   * meanwhile.
   * @throws what its start throws; then it is as before
   */
  async revive(member: Member, old: RunningPlugin): Promise<void> {
    if (member.switching) await this.#turns.aside(() => member.switching!);
    if (member.running !== old) return;
    await this.#inPlace(member, old, () => this.#fleet.activate(member));
  }

  /**
   * Ends a plugin and starts it again with another definition of the same version, in its old place. Requests wait
   * meanwhile.
   * @throws what the start throws; then the plugin has been started with the definition that it had
   */
  async restart(member: Member, definition: PluginDefinition): Promise<void> {
    const [old, former] = [member.running!, member.definition];
    let failure: { readonly of: unknown } | undefined;
    await this.#inPlace(member, old, async () => {
      await old.activation.handled(handlersMs);
      await old.vacate();
      member.definition = definition;
      try {
        return await this.#fleet.activate(member);
      } catch (fault) {
        failure = { of: fault };
        member.definition = former;
        return this.#fleet.activate(member);
      }
    }).catch((fault: unknown) => this.#fleet.fail(member, fault));
    if (failure) throw failure.of;
  }

  async #inPlace(member: Member, old: RunningPlugin, start: () => Promise<RunningPlugin>): Promise<void> {
    const hold = old.activation.hold();
    const started = Promise.withResolvers<void>();
    member.starting = started.promise;
    try {
      const fresh = await this.#turns.aside(start);
      if (member.running !== old) return await fresh.release();
      fresh.publish({ instead: old.registrations });
      this.#fleet.noteStarted(member, fresh);
    } finally {
      member.starting = undefined;
      started.resolve();
      await hold.release();
    }
    this.#fleet.announce();
    this.#retire(old);
  }

  #retire(old: RunningPlugin): void {
    this.#retiring.add(old);
    void old.retire().finally(() => this.#retiring.delete(old));
  }

  /** Ends at once what still runs of versions that were replaced. */
  async endRetired(): Promise<void> {
    await Promise.all([...this.#retiring].map((old) => old.release()));
  }

  /** Whether the data from before the last upgrade is still there. */
  hasPreviousData(id: string): Promise<boolean> {
    return this.#storage.hasPrevious(id);
  }

  /**
   * Refuses a version that cannot read the present data, as far as its migrations say, without starting it.
   * @throws {UpgradeFailed} when it cannot be loaded
   * @throws {LongboxError} what {@link stepsUnknownTo} finds out more about
   */
  async requireReading(next: PluginOnDisk): Promise<void> {
    const { migrations } = await this.#turns.aside(() => this.#load(next));
    const storage = await this.#storage.open(next.id);
    await storage.checkMigrations(migrations).finally(() => storage.release());
  }

  async #load(next: PluginOnDisk): Promise<PluginDefinition> {
    try {
      return await this.#running.load(next);
    } catch (cause) {
      throw new UpgradeFailed(next, cause);
    }
  }

  async #replace(member: Member, version: LoadedVersion, record: SwitchRecord): Promise<string> {
    const { plugin: next, definition } = version;
    const old = member.running!;
    const trial = await this.#storage.trial(next.id, record.dataOf);
    let former: string;
    let fresh: RunningPlugin | undefined;
    try {
      // A version that never gets ready holds up nothing but its own plugin.
      fresh = await this.#turns.aside(() =>
        RunningPlugin.activate({ plugin: next, definition, storage: trial.storage }, this.#running),
      );
      this.#requireStill(member, old, next);
      await this.#probe(fresh, old);
      await record.commit(fresh.migrated);
      const change = { from: old.plugin.version, to: next.version };
      former = await this.#adopt(() => trial.adopt(change), record);
    } catch (cause) {
      await fresh?.release();
      await trial.discard();
      const fault = translateStorageFault(cause, next.folder);
      throw cannotBeStored(fault) ? fault : new UpgradeFailed(next, cause);
    }
    fresh.publish({ instead: old.registrations });
    this.#take(member, version, fresh);
    return former;
  }

  /** The old version may have been stopped while the new one started. */
  #requireStill(member: Member, old: RunningPlugin, next: PluginOnDisk): void {
    if (member.running === old) return;
    const stopped = new Conflict(
      "kernel/stopped-meanwhile",
      `"${next.id}" was stopped while the other version started.`,
    );
    throw new UpgradeFailed(next, stopped);
  }

  async #probe(fresh: RunningPlugin, old: RunningPlugin): Promise<void> {
    fresh.registrations.verify(old.registrations);
    refuseMistakes(fresh.plugin.id, await mistakesOfStart(fresh.registrations));
    await new Promise((resolve) => setTimeout(resolve, probeMs));
    if (fresh.activation.firstFault !== undefined) throw fresh.activation.firstFault;
  }

  async #adopt(adopt: () => Promise<string>, record: SwitchRecord): Promise<string> {
    try {
      return await adopt();
    } catch (failure) {
      await record.revert();
      throw failure;
    }
  }

  #take(member: Member, { plugin, definition }: LoadedVersion, running: RunningPlugin): void {
    member.plugin = plugin;
    member.definition = definition;
    member.blocked = undefined;
    this.#fleet.noteStarted(member, running);
  }

  /**
   * Activates a version whose data may still be another version's: on a copy first, and when that data is newer than
   * the code, on the data from before the last upgrade.
   * @param dataOf - the version whose data, as it left them, it starts on; the present data when left out
   */
  async settle({ plugin, definition }: LoadedVersion, dataOf?: string): Promise<Settled> {
    const trial = await this.#storage.trial(plugin.id, dataOf);
    try {
      const running = await RunningPlugin.activate({ plugin, definition, storage: trial.storage }, this.#running);
      const former = await trial.adopt({ to: plugin.version });
      return { running, setAside: dataOf === undefined ? undefined : former };
    } catch (failure) {
      await trial.discard();
      const isNewer = dataOf === undefined && stepsUnknownTo(failure) !== undefined;
      if (!isNewer || !(await this.#storage.hasPrevious(plugin.id))) throw failure;
    }
    const setAside = await this.#storage.restorePrevious(plugin.id);
    return {
      running: await RunningPlugin.activate(
        { plugin, definition, storage: await this.#storage.open(plugin.id) },
        this.#running,
      ),
      setAside,
    };
  }
}

/** The migrations of the data that a version did not know when it failed because of them. */
export function stepsUnknownTo(failure: unknown): readonly string[] | undefined {
  if (failure instanceof UpgradeFailed) return stepsUnknownTo(failure.cause);
  if (!isLongboxError(failure) || failure.code !== "kernel/database-newer") return undefined;
  return (failure.details as { readonly unknown: string[] }).unknown;
}
