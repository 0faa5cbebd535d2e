import type { PluginDefinition } from "@longbox/sdk";
import { token } from "../../injection.js";
import type { OpenStorage } from "../../storage/storing.js";
import type { PluginOnDisk } from "../packages/plugin-package.js";

/** What is particular to one activation. */
export interface Activated {
  readonly plugin: PluginOnDisk;
  readonly definition: PluginDefinition;
  /** Opened for this activation, and closed with it. */
  readonly storage: OpenStorage;
}

export const ActivatedPlugin = token<PluginOnDisk>("the plugin of the activation");
export const ActivatedDefinition = token<PluginDefinition>("the code of the activation");
export const ActivatedStorage = token<OpenStorage>("the storage of the activation");
