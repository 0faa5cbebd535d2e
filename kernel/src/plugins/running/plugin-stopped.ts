import { LongboxError } from "@longbox/sdk";

/** Something was asked of a run of a plugin that is over. */
export class PluginStopped extends LongboxError {
  constructor(id: string) {
    super("unavailable", "kernel/plugin-stopped", `The plugin "${id}" has stopped.`);
  }
}
