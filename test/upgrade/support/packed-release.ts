// The data of a server of an earlier release, with its answers, in one small file.
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { strFromU8, strToU8, unzipSync, zipSync, type Zippable } from "fflate";
import type { PlainAnswer } from "../../whole/support/every-answer.ts";

export interface Release {
  /** When the data were made, in milliseconds since 1970. */
  readonly at: number;
  /** The API key of the admin. */
  readonly key: string;
  /** Where `data` and `comics` were. */
  readonly folder: string;
  /** What the release answered, by path. */
  readonly answers: Readonly<Record<string, PlainAnswer>>;
}

/** What a server makes again, or what belongs to one run. */
const left = /^data\/(compiled|logs|backups|replaced|temporary|plugins\/cache|lock\.|.*-(wal|shm)$)/;
const description = "release.json";
/** Files are told apart by the time of their change. */
const changed = new Date("2026-01-31T12:00:00Z");

/** Sets the times of the library's files, as they are after unpacking. */
export async function settle(folder: string): Promise<void> {
  for (const path of await filesOf(join(folder, "comics"))) await utimes(path, changed, changed);
}

/** Packs `data` and `comics` of a folder. No server may run on them. */
export async function packRelease(file: string, release: Release): Promise<void> {
  const entries: Zippable = { [description]: strToU8(JSON.stringify(release)) };
  for (const path of await filesOf(release.folder)) {
    const name = relative(release.folder, path).split(sep).join("/");
    if (left.test(name)) continue;
    if (path.endsWith(".sqlite")) changeDatabase(path, (database) => database.exec("vacuum"));
    entries[name] = await readFile(path);
  }
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, zipSync(entries, { level: 9, mtime: changed }));
}

/** Unpacks a release into a folder, and tells its databases that the library is there now. */
export async function unpackRelease(file: string, folder: string): Promise<Release> {
  const { [description]: described, ...entries } = unzipSync(await readFile(file));
  const release = JSON.parse(strFromU8(described!)) as Release;
  for (const [name, content] of Object.entries(entries)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, content);
    if (path.endsWith(".sqlite")) changeDatabase(path, (database) => move(database, release.folder, folder));
  }
  await settle(folder);
  return release;
}

function changeDatabase(path: string, change: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(path);
  try {
    change(database);
  } finally {
    database.close();
  }
}

/** Every text of every table that names the folder. */
function move(database: DatabaseSync, from: string, to: string): void {
  const columns = database
    .prepare(
      // Tables of the full text belong to SQLite.
      `select t.name as "table", c.name as "column" from pragma_table_list t, pragma_table_info(t.name) c
       where t.type = 'table' and t.schema = 'main' and t.name not like 'sqlite_%'`,
    )
    .all() as Array<{ table: string; column: string }>;
  for (const { table, column } of columns)
    database
      .prepare(`update "${table}" set "${column}" = replace("${column}", ?, ?) where instr("${column}", ?) > 0`)
      .run(from, to, from);
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
