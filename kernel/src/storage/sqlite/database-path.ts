import { join } from "node:path";
import type { DatabasePlace } from "../engines/driver.js";

/**
 * The file in which SQLite keeps the tables of a place; also the form in which every driver exchanges databases. It is
 * a module of its own because a thread that only reads, which starts with every server, has no need of the other code.
 */
export function databasePath({ folder }: Pick<DatabasePlace, "folder">): string {
  return join(folder, "database.sqlite");
}
