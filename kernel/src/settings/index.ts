export type { CheckElsewhere } from "./checking-elsewhere.js";
export { SettingsKeeping } from "./keeping.js";
export { Settings } from "./settings.js";
export type { SettingsOptions } from "./settings.js";
export { withTitle } from "./settings-group.js";
export { settingsRoutes } from "./settings-routes.js";
