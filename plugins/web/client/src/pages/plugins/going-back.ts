// Going back to an earlier version of a plugin, and what an administrator confirms before.
import type { PluginRow } from "@longbox/kernel/api";
import { moment, t } from "@longbox/sdk/ui";

export interface WayBack {
  readonly version: string;
  /** What the rollback is asked for; the version before the last upgrade without. */
  readonly body?: { readonly to: string; readonly data: "snapshot" };
  /** Its label in the menu. */
  readonly label: string;
  /** What is said before data that was written since is set aside. */
  readonly warning: string | undefined;
}

/** The version before the last upgrade, and older ones whose data is kept. */
export function waysBack(plugin: PluginRow): WayBack[] {
  const { title, previousVersion, rollbackRestoresDataOf: since, keptData = [] } = plugin;
  if (previousVersion === undefined) return [];
  const restored = { version: previousVersion, plugin: title, day: since && moment(since) };
  const before = {
    version: previousVersion,
    label: t("plugins.goBackTo", { version: previousVersion }),
    warning: since && t("plugins.versionCannotReadThe", restored),
  };
  const older = keptData
    .filter(({ version }) => version !== previousVersion)
    .map(({ version, at }): WayBack => ({
      version,
      body: { to: version, data: "snapshot" },
      label: t("plugins.goBackToWithData", { version }),
      warning: t("plugins.getsTheDataOf", { version, plugin: title, day: moment(at) }),
    }));
  return [before, ...older];
}

export const questionBeforeGoingBack = ({ version }: WayBack, text: string) => ({
  heading: t("plugins.goBackToAnd", { version }),
  text,
  action: t("plugins.goBack"),
  isDangerous: true,
});
