import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import { Kysely } from "kysely";
import type { FullText, MemoryIndex, PluginStorage } from "@longbox/sdk";
import type { Beginning, ToldQuery, ToldRows, ToldStream } from "../agreement.js";
import type { SearchSyntax } from "../../../storage/queries/engines-of.js";
import { PostgresFullText } from "../../../storage/postgres/postgres-full-text.js";
import { fts4, fts5, SqlFullText } from "../../../storage/sqlite/full-text.js";
import type { Channel } from "../wire/channel.js";
import { InnerCache } from "./inner-cache.js";
import { openInnerDocument } from "./inner-document.js";
import { RemoteDialect, type QueryDoor } from "./remote-dialect.js";

type ToldIndex = {
  readonly source: string;
  readonly restored: boolean;
  readonly save: () => Promise<void>;
  readonly rebuild: () => Promise<void>;
};
type ToldFullText = { readonly empty: boolean; readonly syntax: SearchSyntax };

/** The storage of the plugin: the kernel holds databases and documents; files are the process's own. */
export function innerStorage(channel: Channel, told: Beginning["storage"]): PluginStorage {
  let dataVersion = told.dataVersion;
  const door: QueryDoor = {
    async query(query: ToldQuery, signal?: AbortSignal) {
      const answer = (await channel.call("query", [query, signal], { place: "A value in a query" })) as ToldRows;
      dataVersion = answer.dataVersion;
      return answer;
    },
    stream: async (query, chunkSize) =>
      (await channel.call("stream", [query, chunkSize], { place: "A value in a query" })) as ToldStream,
    begin: (source) => channel.call("begin", [source]) as Promise<number>,
    command: async (turn, command, savepoint) => void (await channel.call("command", [turn, command, savepoint])),
  };
  const [database, reader] = ["database", "reader"].map(
    (source) => new Kysely<any>({ dialect: new RemoteDialect(door, source, told.engine) }),
  ) as [Kysely<any>, Kysely<any>];
  // Indexes are files of SQLite, whatever engine keeps the tables.
  const open = (source: string) => new Kysely<any>({ dialect: new RemoteDialect(door, source, "sqlite") });
  return {
    database: () => database,
    reader: () => reader,
    dataVersion: () => dataVersion,
    folder: told.folder,
    temporaryFolder: () => mkdtemp(path.join(told.temporary, "inner-")),
    fullText: (name, columns) => openFullText(channel, name, columns),
    index: (name, options) => openIndex(channel, name, { ...options, open }),
    document: (name, schema) => openInnerDocument(channel, name, schema),
    async cache(name, { maxBytes }) {
      return InnerCache.open(channel, name, maxBytes);
    },
  };
}

async function openFullText(channel: Channel, name: string, columns: readonly string[]): Promise<FullText> {
  const { empty, syntax } = (await channel.call("fullText", [name, columns])) as ToldFullText;
  const table = `fulltext_${name}`;
  if (syntax === "tsvector") return new PostgresFullText(table, columns, empty);
  return new SqlFullText({ table, columns, syntax: syntax === "fts5" ? fts5 : fts4, empty });
}

async function openIndex<Tables>(
  channel: Channel,
  name: string,
  {
    version,
    build,
    open,
  }: { version: string; build: (database: Kysely<Tables>) => Promise<void>; open: (source: string) => Kysely<Tables> },
): Promise<MemoryIndex<Tables>> {
  const fill = async (source: string) => build(open(source));
  const told = (await channel.call("index", [name, version, fill])) as ToldIndex;
  return { database: open(told.source), restored: told.restored, save: told.save, rebuild: told.rebuild };
}
