import { Conflict } from "@longbox/sdk";
import { inject, injectable } from "../../injection.js";
import { HostParts } from "../host-parts.js";
import { Isolation, type ChosenIsolation, type IsolationMode } from "../isolated/isolation.js";
import { Surroundings } from "../running/surroundings.js";
import { Turns } from "../turns.js";
import { Fleet } from "./fleet.js";
import type { Member } from "./member.js";
import { Switching } from "./switching.js";

/** What an administrator wants of a plugin: null leaves it to the rules, and what is left out stays. */
export interface WantedIsolation {
  readonly isolation?: IsolationMode | null | undefined;
  /** Those of one group share a process where they are isolated. */
  readonly group?: string | null | undefined;
}

/** For the audit trail. */
export function inWords({ isolation, group }: WantedIsolation): string {
  const where = isolation === undefined ? [] : [isolation ?? "as usual"];
  const withWhom = group === undefined ? [] : [group === null ? "in no group" : `in the group ${group}`];
  return [...where, ...withWhom].join(", ");
}

/** The plugin could not start where it was to run; it runs on where it did. */
class MoveFailed extends Conflict {
  constructor(plugin: string, mode: IsolationMode, cause: unknown) {
    const where = mode === "process" ? "in a process of its own" : "in the server's process";
    const reason = cause instanceof Error ? cause.message : String(cause);
    super("kernel/isolation-failed", `"${plugin}" does not start ${where}, and stays where it was. ${reason}`, {
      plugin,
      isolation: mode,
      reason,
    });
  }
}

/** Moves plugins from the server's process to one of their own, and back, while the server serves. */
@injectable()
export class Moving {
  constructor(
    @inject(Isolation) private readonly isolation: Isolation,
    @inject(Fleet) private readonly fleet: Fleet,
    @inject(Switching) private readonly switching: Switching,
    @inject(Surroundings) private readonly running: Surroundings,
    @inject(Turns) private readonly turns: Turns,
    @inject(HostParts) private readonly parts: HostParts,
  ) {}

  /**
   * @throws {Conflict} `kernel/isolation-failed`; then everything is as before
   * @throws {Conflict} `kernel/no-package` for a plugin without code of its own, and for a group of one under
   *   development
   */
  async move(member: Member, wanted: WantedIsolation): Promise<void> {
    const { plugin } = member;
    if (plugin.folder === "/")
      throw new Conflict("kernel/no-package", `"${plugin.id}" has no package that another process could load.`);
    if (plugin.linked && typeof wanted.group === "string")
      throw new Conflict(
        "kernel/no-package",
        `"${plugin.id}" runs from a folder under development, and shares its process with no other plugin.`,
      );
    const before = this.isolation.chosen(plugin.id);
    const chosen = changed(before, wanted);
    await this.isolation.choose(plugin.id, chosen);
    if (member.running === undefined) return this.#tryAgain(member);
    if (!this.#isElsewhere(member, before)) return;
    await this.#restart(member, before);
    if (chosen.group !== before.group && chosen.group !== undefined) await this.#gather(member, chosen.group);
  }

  /** Whether a plugin runs elsewhere than it is to run now. */
  #isElsewhere({ plugin, running }: Member, before: ChosenIsolation): boolean {
    const { mode, group } = this.isolation.of(plugin);
    if (mode !== (running?.isolated === undefined ? "none" : "process")) return true;
    return mode === "process" && group !== before.group;
  }

  async #restart(member: Member, before: ChosenIsolation): Promise<void> {
    const { plugin } = member;
    const { mode } = this.isolation.of(plugin);
    try {
      const definition = await this.turns.aside(() => this.running.load(plugin));
      await this.switching.restart(member, definition);
    } catch (cause) {
      await this.isolation.choose(plugin.id, before);
      throw new MoveFailed(plugin.id, mode, cause);
    }
  }

  /**
   * Brings the others of a group into the process that a plugin has got there. One that does not start there runs on as
   * before.
   */
  async #gather(first: Member, group: string): Promise<void> {
    for (const other of this.fleet.members.values()) {
      const isMeant = other !== first && this.isolation.of(other.plugin).group === group;
      if (!isMeant || !other.running?.isolated || !other.definition) continue;
      if (first.running?.isolated?.sharers.includes(other.plugin.id)) continue;
      await this.switching
        .restart(other, other.definition)
        .catch((fault: unknown) =>
          this.parts
            .logger(other.plugin.id)
            .error("It did not join the process of its group.", { group, fault: String(fault) }),
        );
    }
  }

  /** One that failed where it was to run may do better elsewhere. */
  async #tryAgain(member: Member): Promise<void> {
    member.definition = undefined;
    if (member.blocked?.state === "failed") member.blocked = undefined;
    await this.fleet.reconcile();
  }
}

function changed(before: ChosenIsolation, { isolation, group }: WantedIsolation): ChosenIsolation {
  return {
    mode: isolation === undefined ? before.mode : (isolation ?? undefined),
    group: group === undefined ? before.group : (group ?? undefined),
  };
}
