import { definePlugin } from "@longbox/sdk";
import { openLibrarySettings } from "./settings.js";

export default definePlugin({
  settings: openLibrarySettings,
  activate() {},
});
