export { messageProblem } from "./message-problem.js";
export { pluginMessages } from "./plugin-messages.js";
export type { SaidValues, Say } from "./saying.js";
