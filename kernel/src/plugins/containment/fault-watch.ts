import { pathToFileURL } from "node:url";
import type { Logger, Releasable } from "@longbox/sdk";
import { releasable } from "@longbox/sdk";
import { currentOwner } from "./attribution.js";
import { logFault } from "./faults.js";
import type { PluginHost } from "../plugin-host.js";

/**
 * Catches uncaught faults, and attributes each to a plugin: by the asynchronous context, or by the
 * files on the stack when the context is another's, such as that of an event's emitter. What belongs to no plugin ends
 * the process in an orderly way, since its state can no longer be trusted.
 */
export function watchForFaults(host: PluginHost, log: Logger, end: () => void): Releasable {
  const blame = (fault: unknown, where: string) => {
    const plugin = pluginInStack(host, fault) ?? currentOwner()?.id;
    if (plugin !== undefined && host.fleet.members.has(plugin)) return host.reportFault(plugin, fault, where);
    logFault(log, fault, where);
    end();
  };
  const thrown = (fault: unknown) => blame(fault, "code that runs by itself");
  const rejected = (fault: unknown) => blame(fault, "a promise that is not awaited");
  process.on("uncaughtException", thrown);
  process.on("unhandledRejection", rejected);
  return releasable(() => {
    process.off("uncaughtException", thrown);
    process.off("unhandledRejection", rejected);
  });
}

/** The plugin whose file is innermost on an error's stack. */
export function pluginInStack(host: PluginHost, fault: unknown): string | undefined {
  const stack = fault instanceof Error ? (fault.stack ?? "") : "";
  for (const line of stack.split("\n").slice(1)) {
    for (const { plugin } of host.fleet.members.values()) {
      if (plugin.folder !== "/" && isIn(plugin.folder, line)) return plugin.id;
    }
  }
  return undefined;
}

/** Modules are named by their URLs, sources behind source maps by their paths. */
const isIn = (folder: string, line: string) =>
  line.includes(`${pathToFileURL(folder).href}/`) || line.includes(`(${folder}/`) || line.includes(` ${folder}/`);
