import { restWhenIdle } from "@longbox/kernel/supervisor";
import { Keeper, type Keeping } from "./keeper.js";
import { whenAskedToEnd } from "./ending.js";

/** Keeps a server running as this process, until it is asked to end. Its exit code becomes that of the kernel. */
export async function keep(keeping: Keeping): Promise<void> {
  const keeper = new Keeper(keeping, (line) => process.stderr.write(`${line}\n`));
  whenAskedToEnd(() => keeper.stop());
  // Once the plugins are installed, there is little to do.
  restWhenIdle();
  process.exitCode = await keeper.run();
}
