import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { shareBundledPackages } from "../../running/host-singletons.js";
import { Channel } from "../wire/channel.js";
import { bundledPackages } from "./bundled-packages.js";
import { closeDoors } from "./closed-doors.js";
import { viewerKind } from "./viewers.js";
import { PluginInProcess } from "./plugin-in-process.js";

// The process of an isolated plugin starts here. It talks to the kernel by one connection, and ends with it. The build bundles it
// with what it imports (kernel/vite.config.ts).
closeDoors();
shareBundledPackages(import.meta.url, bundledPackages);
const connection = new Socket({ fd: 3, readable: true, writable: true });
const plugin: PluginInProcess = new PluginInProcess(() => channel);
/** The kernel needs this process no longer. */
let isDismissed = false;
const channel: Channel = new Channel(connection, {
  doors: () => plugin.doors,
  kinds: [viewerKind],
  rule: "promising",
  lost: () => new Error("The server has ended."),
  closed() {
    isDismissed = true;
    process.exit(0);
  },
  failed: (fault, door) => plugin.report(fault, `what the kernel told: ${door}`),
});
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
process.on("unhandledRejection", (fault) => plugin.report(fault, "a promise that is not awaited"));
process.on("uncaughtException", (fault) => plugin.report(fault, "code that runs by itself"));
