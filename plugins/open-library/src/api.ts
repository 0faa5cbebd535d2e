export type { OpenLibrarySettings } from "./settings.js";
