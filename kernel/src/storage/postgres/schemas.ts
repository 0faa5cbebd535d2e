import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { LongboxError } from "@longbox/sdk";
import { z } from "zod";
import type { DatabasePlace } from "../engines/driver.js";
import { makeFolder, sweepUnfinished, writeDurably } from "../documents/durable-file.js";
import { markerName } from "../installation/marker.js";
import { loginOf, type Login } from "./logins.js";

const noteSchema = z.object({
  format: z.literal(1),
  /** What the names of this installation's schemas begin with. */
  prefix: z.string().regex(/^[a-z][a-z0-9_]{0,20}$/),
  /** The schemas that must be there. */
  schemas: z.array(z.string()),
  /** The schemas that are given up, and were not dropped yet. */
  leaving: z.array(z.object({ owner: z.string(), schema: z.string() })).optional(),
  /** What the passwords of the plugins' roles are made from. */
  secret: z.string().min(32).optional(),
});
type Note = z.output<typeof noteSchema>;
type LeavingSchema = NonNullable<Note["leaving"]>[number];

/** The name of the file beside the data. */
export const schemasFileName = "database.json";
/** The longest name of a schema. */
const longestNameBytes = 63;

/**
 * The names of the schemas of one data folder, which a file in the folder keeps: so several installations can share a
 * database, and a server that is not the one with the data is refused instead of passing for an empty one.
 */
export class Schemas {
  readonly #folder: string;
  #note: Promise<Note> | undefined;
  #known: Note | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * `longbox_1f3a77c2_collection_2` for the second state of the data of the plugin `collection`.
   * @throws {LongboxError} `kernel/tables-elsewhere` when the tables of this folder are in SQLite
   */
  async nameOf({ owner, folder }: DatabasePlace): Promise<string> {
    const { prefix } = await this.#opened();
    const state = owner === "kernel" ? [] : [basename(folder)];
    const name = [prefix, owner, ...state].join("_");
    if (Buffer.byteLength(name) > longestNameBytes)
      throw new TypeError(`"${name}" is too long for the name of a schema: use a shorter id.`);
    return name;
  }

  /** What the names of this installation's schemas begin with. */
  async prefix(): Promise<string> {
    return (await this.#opened()).prefix;
  }

  /** Writes the prefix down, so that a schema that is made next is found again, however this process ends. */
  async keepPrefix(): Promise<void> {
    if (!existsSync(join(this.#folder, schemasFileName))) await this.#change(() => undefined);
  }

  /** The role of an owner's schemas, `longbox_1f3a77c2_collection`. */
  async loginOf(owner: string): Promise<Login> {
    const { prefix, secret } = await this.#opened();
    if (secret !== undefined) return loginOf(`${prefix}_${owner}`, secret);
    await this.#change((note) => (note.secret ??= randomBytes(32).toString("base64url")));
    return this.loginOf(owner);
  }

  /** Whether the schema was there when it was used last. Call it after {@link nameOf}. */
  expects(schema: string): boolean {
    return this.#known?.schemas.includes(schema) ?? false;
  }

  async remember(schema: string): Promise<void> {
    if (!this.expects(schema)) await this.#change((note) => note.schemas.push(schema));
  }

  /** The schemas that are given up, and were not dropped yet. Call it after {@link nameOf}. */
  get leaving(): readonly LeavingSchema[] {
    return this.#known?.leaving ?? [];
  }

  /** Whether a schema is given up, and may still be there. Call it after {@link nameOf}. */
  isLeaving(schema: string): boolean {
    return this.leaving.some((each) => each.schema === schema);
  }

  /**
   * A schema is given up, whether or not it is there: it is not expected any more, and is to be dropped, after a
   * restart at the latest. Call it after {@link nameOf}.
   */
  async leave(leaving: LeavingSchema): Promise<void> {
    const { schema } = leaving;
    if (this.isLeaving(schema)) return;
    await this.#change((note) => {
      note.schemas = note.schemas.filter((each) => each !== schema);
      note.leaving = [...(note.leaving ?? []), leaving];
    });
  }

  /** A schema was dropped. */
  async left(schema: string): Promise<void> {
    if (!this.isLeaving(schema)) return;
    await this.#change((note) => (note.leaving = note.leaving?.filter((each) => each.schema !== schema)));
  }

  #opened(): Promise<Note> {
    this.#note ??= this.#open().catch((fault: unknown) => {
      this.#note = undefined;
      throw fault;
    });
    return this.#note;
  }

  async #open(): Promise<Note> {
    const path = join(this.#folder, schemasFileName);
    await sweepUnfinished(path, `${path}.bak`);
    if (existsSync(path)) return (this.#known = readNote(path, await readFile(path, "utf8")));
    if (existsSync(join(this.#folder, markerName))) throw elsewhere("SQLite, in the data folder itself");
    this.#known = { format: 1, prefix: `longbox_${randomBytes(4).toString("hex")}`, schemas: [] };
    return this.#known;
  }

  #change(change: (note: Note) => unknown): Promise<void> {
    this.#writing = this.#writing
      // The caller that made the former change has heard of its failure.
      .catch(() => undefined)
      .then(async () => {
        const note = await this.#opened();
        change(note);
        await writeNote(this.#folder, note);
      });
    return this.#writing;
  }
}

/**
 * Refuses to open a folder with SQLite whose tables a database server keeps.
 * @throws {LongboxError} `kernel/tables-elsewhere`
 */
export function refuseServerTables(folder: string): void {
  if (existsSync(join(folder, schemasFileName))) throw elsewhere("PostgreSQL: start with LONGBOX_DATABASE");
}

/**
 * Takes the schemas on the server as they are: those that are missing are made, empty, at the next start.
 * @returns the schemas that are not expected any more
 */
export async function acceptSchemas(folder: string): Promise<string[]> {
  const path = join(folder, schemasFileName);
  if (!existsSync(path)) return [];
  const note = readNote(path, await readFile(path, "utf8"));
  const { leaving = [], ...kept } = note;
  await writeNote(folder, { ...kept, schemas: [] });
  return [...note.schemas, ...leaving.map(({ schema }) => schema)];
}

async function writeNote(folder: string, note: Note): Promise<void> {
  await makeFolder(folder);
  await writeDurably(join(folder, schemasFileName), `${JSON.stringify(note, undefined, 2)}\n`);
}

function readNote(path: string, text: string): Note {
  try {
    return noteSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new LongboxError(
      "internal",
      "kernel/installation-unreadable",
      `${path} cannot be read. Put it back from a copy of the data folder.`,
      undefined,
      { cause },
    );
  }
}

function elsewhere(where: string): LongboxError {
  return new LongboxError(
    "conflict",
    "kernel/tables-elsewhere",
    `The tables of this data folder are kept by ${where}. Nothing was changed.`,
  );
}
