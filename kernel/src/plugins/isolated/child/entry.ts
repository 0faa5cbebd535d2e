import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { shareBundledPackages } from "../../running/host-singletons.js";
import { Channel } from "../wire/channel.js";
import { bundledPackages } from "./bundled-packages.js";
import { closeDoors } from "./closed-doors.js";
import { viewerKind } from "./viewers.js";
import { PluginInProcess } from "./plugin-in-process.js";

// The process of an isolated plugin starts here. It talks to the kernel by one connection, and ends with it. The build
// bundles it with what it imports (kernel/vite.config.ts).
closeDoors();
shareBundledPackages(import.meta.url, bundledPackages);
/** So many plugins may be in this process, each with a connection of its own. */
const seats = Number(process.argv[2] ?? 1);
const plugins = Array.from({ length: seats }, (_, seat) => connect(seat));
/** The kernel needs this process no longer. */
let isDismissed = false;
let connected = seats;

function connect(seat: number): PluginInProcess {
  const connection = new Socket({ fd: 3 + seat, readable: true, writable: true });
  const plugin: PluginInProcess = new PluginInProcess(() => channel);
  const channel: Channel = new Channel(connection, {
    doors: () => plugin.doors,
    kinds: [viewerKind],
    rule: "promising",
    lost: () => {
      leave();
      return new Error("The server has ended.");
    },
    failed: (fault, door) => plugin.report(fault, `what the kernel told: ${door}`),
  });
  return plugin;
}

function leave(): void {
  connected -= 1;
  if (connected > 0) return;
  isDismissed = true;
  process.exit(0);
}

/**
 * Tells the plugin whose code it was by the stack. Where it names none of several plugins, it counts for none of them.
 */
function report(fault: unknown, where: string): void {
  const here = seats === 1 ? plugins : plugins.filter((plugin) => plugin.folder !== undefined);
  const stack = (fault instanceof Error && fault.stack) || "";
  const named = here.length === 1 ? here[0] : here.find((plugin) => stack.includes(`${plugin.folder}/`));
  if (named) named.report(fault, where);
  else for (const plugin of here) plugin.mention(fault, where);
}

// The kernel reads from it which code ended the process.
process.on("exit", () => {
  if (isDismissed) return;
  try {
    Error.stackTraceLimit = 30;
    writeSync(2, `${new Error("The process is ended here.").stack}\n`);
  } catch {
    // Nothing reads it any more.
  }
});
process.on("unhandledRejection", (fault) => report(fault, "a promise that is not awaited"));
process.on("uncaughtException", (fault) => report(fault, "code that runs by itself"));
