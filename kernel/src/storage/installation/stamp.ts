import { z } from "zod";
import type { Engine } from "../sqlite/engine.js";

/** What a database says about itself. */
export interface Stamp {
  /** The installation that it belongs to. */
  readonly installation: string;
  /** `kernel`, or the plugin's id. */
  readonly owner: string;
  /** In how many of its openings something was written. */
  readonly epoch: number;
}

const stampSchema = z.object({ installation: z.string(), owner: z.string(), epoch: z.number().int() });
const table = "longbox_installation";

/** The stamp of an open database; undefined where none is. */
export function readStamp(engine: Engine): Stamp | undefined {
  try {
    const { rows } = engine.run(`select installation, owner, epoch from ${table}`, []);
    return stampSchema.safeParse(rows[0]).data;
  } catch (fault) {
    if ((fault as Error).message === `no such table: ${table}`) return undefined;
    throw fault;
  }
}

/** Writes the stamp; it is on disk when this returns. */
export function writeStamp(engine: Engine, { installation, owner, epoch }: Stamp): void {
  engine.run("begin immediate", []);
  try {
    engine.run(
      `create table if not exists ${table} (id integer primary key check (id = 1), installation text not null, owner text not null, epoch integer not null)`,
      [],
    );
    engine.run(`insert or replace into ${table} values (1, ?, ?, ?)`, [installation, owner, epoch]);
    engine.run("commit", []);
  } catch (fault) {
    if (engine.inTransaction) engine.run("rollback", []);
    throw fault;
  }
}
