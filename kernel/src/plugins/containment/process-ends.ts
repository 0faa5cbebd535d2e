import { inject, injectable } from "../../injection.js";
import { PluginHostTuning } from "../host-tuning.js";
import { Fleet } from "../installed/fleet.js";
import type { Member } from "../installed/member.js";
import { Switching } from "../installed/switching.js";
import { ProcessEnded } from "../isolated/fence/process-ended.js";
import { Isolation } from "../isolated/isolation.js";
import type { UnwantedEnd } from "../isolated/isolated-plugin.js";
import type { PluginOnDisk } from "../packages/plugin-package.js";
import type { RunningPlugin } from "../running/running-plugin.js";
import { Surroundings } from "../running/surroundings.js";
import { Turns } from "../turns.js";
import { FaultPolicy } from "./fault-policy.js";

const usualRestartMs = [0, 1_000, 2_000, 5_000, 15_000, 60_000] as const;
/** After so long without an end, the next one counts as the first again. */
const forgottenMs = 600_000;

/** Starts isolated plugins again whose processes ended, each time later, until they ended too often. */
@injectable()
export class ProcessEnds {
  readonly #ends = new Map<string, number[]>();
  readonly #waiting = new Map<string, NodeJS.Timeout>();
  readonly #restartMs: readonly number[];

  constructor(
    @inject(Isolation) isolation: Isolation,
    @inject(Fleet) private readonly fleet: Fleet,
    @inject(Switching) private readonly switching: Switching,
    @inject(FaultPolicy) private readonly faultPolicy: FaultPolicy,
    @inject(Turns) private readonly turns: Turns,
    @inject(Surroundings) private readonly surroundings: Surroundings,
    @inject(PluginHostTuning) tuning: PluginHostTuning,
  ) {
    this.#restartMs = tuning.isolation?.restartMs ?? usualRestartMs;
    isolation.onEnded((plugin, end) => this.#hear(plugin, end));
    surroundings.stopping.addEventListener("abort", () => this.#stop());
  }

  #hear({ id }: PluginOnDisk, end: UnwantedEnd): void {
    const member = this.fleet.members.get(id);
    // One that is being started fails by the call that is under way, and one that was replaced is not needed any more.
    if (member?.running?.isolated !== end.process || this.surroundings.stopping.aborted) return;
    const old = member.running;
    // A transaction that it left open must hold up nothing.
    void end.process.release();
    this.fleet.announce();
    void this.turns.take(() => this.#judge(member, old, end));
  }

  async #judge(member: Member, old: RunningPlugin, end: Omit<UnwantedEnd, "process">): Promise<void> {
    const { id } = member.plugin;
    if (member.running !== old || !(await this.faultPolicy.judgeEnd(member, end))) return;
    if (end.fault.shared.by !== "plugin") return this.#begin(member, old);
    const now = Date.now();
    const ends = [...(this.#ends.get(id) ?? []).filter((at) => at > now - forgottenMs), now];
    this.#ends.set(id, ends);
    const afterMs = this.#restartMs[Math.min(ends.length, this.#restartMs.length) - 1] ?? 0;
    clearTimeout(this.#waiting.get(id));
    this.#waiting.set(id, setTimeout(() => this.#begin(member, old), afterMs).unref());
  }

  #begin(member: Member, old: RunningPlugin): void {
    this.#waiting.delete(member.plugin.id);
    if (this.surroundings.stopping.aborted) return;
    void this.turns.take(() => this.#start(member, old));
  }

  async #start(member: Member, old: RunningPlugin): Promise<void> {
    try {
      await this.switching.revive(member, old);
    } catch (failure) {
      if (this.surroundings.stopping.aborted || member.running !== old) return;
      if (failure instanceof ProcessEnded)
        await this.#judge(member, old, { fault: failure, during: ["activate"], causes: [] });
      else await this.fleet.fail(member, failure);
    }
  }

  #stop(): void {
    for (const waiting of this.#waiting.values()) clearTimeout(waiting);
    this.#waiting.clear();
  }
}
