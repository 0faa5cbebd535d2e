import { Conflict } from "@longbox/sdk";
import { inject, injectable } from "../../injection.js";
import { Isolation, type IsolationMode } from "../isolated/isolation.js";
import { Surroundings } from "../running/surroundings.js";
import { Turns } from "../turns.js";
import { Fleet } from "./fleet.js";
import type { Member } from "./member.js";
import { Switching } from "./switching.js";

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
  ) {}

  /**
   * @param chosen - null leaves it to the manifest and the server's settings
   * @throws {Conflict} `kernel/isolation-failed`; then everything is as before
   * @throws {Conflict} `kernel/no-package` for a plugin without code of its own
   */
  async move(member: Member, chosen: IsolationMode | null): Promise<void> {
    const { plugin } = member;
    if (plugin.folder === "/")
      throw new Conflict("kernel/no-package", `"${plugin.id}" has no package that another process could load.`);
    const before = this.isolation.chosen(plugin.id);
    await this.isolation.choose(plugin.id, chosen);
    const { mode } = this.isolation.of(plugin);
    if (member.running === undefined) return this.#tryAgain(member);
    if (mode === (member.running.isolated === undefined ? "none" : "process")) return;
    try {
      const definition = await this.turns.aside(() => this.running.load(plugin));
      await this.switching.restart(member, definition);
    } catch (cause) {
      await this.isolation.choose(plugin.id, before ?? null);
      throw new MoveFailed(plugin.id, mode, cause);
    }
  }

  /** One that failed where it was to run may do better elsewhere. */
  async #tryAgain(member: Member): Promise<void> {
    member.definition = undefined;
    if (member.blocked?.state === "failed") member.blocked = undefined;
    await this.fleet.reconcile();
  }
}
