import { definePlugin } from "@longbox/sdk";

/**
 * The web interface is the folder that the manifest names under `site`. The kernel serves it, so the server part is
 * empty.
 */
export default definePlugin({ activate: () => undefined });
