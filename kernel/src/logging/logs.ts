import type { Logger } from "@longbox/sdk";
import { token } from "../injection.js";

/** Loggers whose lines name their source: `kernel`, `http`, or the id of a plugin. */
export interface Logs {
  logger(source: string): Logger;
}
export const Logs = token<Logs>("loggers");
