// Where a plugin runs, in words, and moving it elsewhere.
import type { PluginRow } from "@longbox/kernel/api";
import { t } from "@longbox/sdk/ui";

/** What keeps the plugin from the rest of the machine; for one that does not run, what would. */
export function whereItRuns({ mode, fence, sharedWith }: PluginRow["isolation"]): string {
  const plugins = sharedWith?.join(", ");
  if (plugins !== undefined)
    return fence === "bubblewrap"
      ? t("isolation.sharedBubblewrap", { plugins })
      : t("isolation.sharedNode", { plugins });
  if (fence === "bubblewrap") return t("isolation.bubblewrap");
  if (fence === "node-permissions") return t("isolation.nodePermissions");
  if (fence === "none") return t("isolation.none");
  return mode === "process" ? t("isolation.onceIsolated") : t("isolation.onceWithRights");
}

/** The entry of the plugin's menu that moves it. */
export function moveOf(plugin: PluginRow, move: (isolation: "none" | "process") => Promise<void>) {
  const isIsolated = plugin.isolation.mode === "process";
  return {
    label: isIsolated ? t("isolation.runWithRights") : t("isolation.runIsolated"),
    icon: "lock",
    run: () => move(isIsolated ? "none" : "process"),
  };
}

/** What an administrator confirms before a plugin gets the server's rights. */
export const questionBefore = ({ title }: PluginRow) => ({
  heading: t("isolation.heading", { plugin: title }),
  text: t("isolation.text"),
  action: t("isolation.action"),
  isDangerous: true,
});
