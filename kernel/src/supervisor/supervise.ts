import { Supervisor, type SupervisorOptions } from "./supervisor.js";

/** Runs a supervisor as this process, until a signal, or until the process that started it is gone. */
export async function supervise(options: SupervisorOptions): Promise<void> {
  const supervisor = await Supervisor.open(options);
  whenAskedToEnd(() => supervisor.stop());
  process.exit(await supervisor.run());
}

/** Signals, a closed channel to the parent, and with `LONGBOX_PARENT=1` the end of standard input. */
export function whenAskedToEnd(end: () => void): void {
  process.once("SIGTERM", end);
  process.once("SIGINT", end);
  if (process.send) process.once("disconnect", end);
  if (process.env["LONGBOX_PARENT"] === "1" && process.env["LONGBOX_SUPERVISED"] === undefined)
    process.stdin.once("end", end).once("error", end).resume();
}
