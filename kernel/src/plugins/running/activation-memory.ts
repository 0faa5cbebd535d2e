import { joinSignals, releasable, type MemoryBudget, type Releasable } from "@longbox/sdk";
import type { SharedMemory } from "../../memory/shared-memory.js";
import type { Activation } from "./activation.js";

/** The memory budget of one activation: what it still holds at its end is returned then. */
export function memoryOf(memory: SharedMemory, activation: Activation): MemoryBudget & Releasable {
  const held = new Set<Releasable>();
  return {
    get limitBytes() {
      return memory.limitBytes;
    },
    async reserve(bytes, signal) {
      activation.refuseStopped();
      const joined = joinSignals(activation.signal, signal);
      const part = await memory.reserve(bytes, joined.signal).finally(() => joined.release());
      const mine = releasable(() => (held.delete(mine), part.release()));
      held.add(mine);
      return mine;
    },
    async release() {
      for (const part of held) await part.release();
    },
  };
}
