import { injectable } from "../../injection.js";
import type { FaultReport } from "./faults.js";

/** Passes faults of plugins to the fault policy, from parts that the plugin host depends on. */
@injectable()
export class FaultReports {
  #deliver: FaultReport | undefined;

  /** No plugin code runs before there is a receiver. */
  deliverTo(receiver: FaultReport): void {
    this.#deliver = receiver;
  }

  readonly report: FaultReport = (plugin, fault, where) => this.#deliver?.(plugin, fault, where);
}
