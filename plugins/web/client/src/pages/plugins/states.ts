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
  active: "Active",
  disabled: "Off",
  unsatisfied: "Waiting",
  "needs-config": "Needs settings",
  failed: "Failed",
  quarantined: "Disabled after repeated errors",
  upgrading: "Being updated",
};
