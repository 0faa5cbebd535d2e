export { pluginMessages } from "./plugin-messages.js";
export type { SaidValues, Say } from "./saying.js";
