import { injectable } from "../../injection.js";
import type { FaultReport } from "./faults.js";

/** Takes faults of plugins to the fault policy, from parts that the plugin host itself stands on. */
@injectable()
export class FaultReports {
  #deliver: FaultReport | undefined;

  /** Before there is a receiver nothing of a plugin runs. */
  deliverTo(receiver: FaultReport): void {
    this.#deliver = receiver;
  }

  readonly report: FaultReport = (plugin, fault, where) => this.#deliver?.(plugin, fault, where);
}
