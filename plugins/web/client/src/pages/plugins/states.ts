import { t } from "@longbox/sdk/ui";
import type { PluginState } from "@longbox/kernel/api";

/** How the tag of a state looks. */
export const tones: Readonly<Record<PluginState, string>> = {
  active: "good",
  disabled: "",
  unsatisfied: "warn",
  "needs-config": "warn",
  failed: "bad",
  quarantined: "bad",
  upgrading: "warn",
};

/** What is said of a state. */
export const says: Readonly<Record<PluginState, string>> = {
  active: t("states.active"),
  disabled: t("states.off"),
  unsatisfied: t("states.waiting"),
  "needs-config": t("states.needsSettings"),
  failed: t("states.failed"),
  quarantined: t("states.switchedOffAfterRepeated"),
  upgrading: t("states.updating"),
};
