import { definePlugin } from "@longbox/sdk";

/** The web interface is the folder that the manifest names under `site`; serving it is the kernel's work, so nothing is left to do here. */
export default definePlugin({ activate: () => undefined });
