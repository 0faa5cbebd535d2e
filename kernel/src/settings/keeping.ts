import type { PluginSettings, Releasable } from "@longbox/sdk";
import type { z } from "zod";
import type { CheckElsewhere } from "./checking-elsewhere.js";
import { token } from "../injection.js";

/** The settings document, as the plugin host and the kernel's own parts use it. */
export interface SettingsKeeping {
  /**
   * Opens a group (`server`, or a plugin's id) with its schema. Values that no longer fit fall back to their defaults,
   * and are reported.
   * @param check - what else changes of the group have to fit
   */
  open<S extends z.ZodType>(group: string, schema: S, check?: CheckElsewhere): PluginSettings<z.output<S>> & Releasable;
  /** Forgets a group's values: part of a purge. */
  purge(group: string): Promise<void>;
}
export const SettingsKeeping = token<SettingsKeeping>("the settings");
