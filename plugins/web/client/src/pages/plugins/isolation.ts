// Where a plugin runs, in words, and moving it elsewhere.
import type { PluginRow } from "@longbox/kernel/api";

/** What keeps the plugin from the rest of the machine; for one that does not run, what would. */
export function whereItRuns({ mode, fence }: PluginRow["isolation"]): string {
  if (fence === "bubblewrap") return "Isolated in a process of its own, behind bubblewrap";
  if (fence === "node-permissions")
    return "Isolated in a process of its own, behind Node's permission model alone: no protection against malicious code";
  if (fence === "none") return "In the server's process, with the server's rights";
  return mode === "process" ? "Isolated, once it runs" : "With the server's rights, once it runs";
}

/** The entry of the plugin's menu that moves it. */
export function moveOf(plugin: PluginRow, move: (isolation: "none" | "process") => Promise<void>) {
  const isIsolated = plugin.isolation.mode === "process";
  return {
    label: isIsolated ? "Run with the server's rights" : "Run isolated",
    icon: "lock",
    run: () => move(isIsolated ? "none" : "process"),
  };
}

/** What an administrator confirms before a plugin gets the server's rights. */
export const questionBefore = ({ title }: PluginRow) => ({
  heading: `Run ${title} with the server's rights?`,
  text: "Its code can then read and change everything that the server can: files, accounts, and the data of other plugins.",
  action: "Give it these rights",
  isDangerous: true,
});
