import type { CollectionContract } from "@longbox/collection/contract";
import type { KernelPlugins, PluginContext } from "@longbox/sdk";
import type { Kysely } from "kysely";
import type { BooksSettings } from "../settings.js";
import type { BookTables } from "../tables.js";
import { sourceRules } from "./contribution-rules.js";
import { FetchingBooks } from "./fetching-books.js";
import { RemoteBooks } from "./remote-contract.js";
import { RemoteLibrary } from "./remote-library.js";
import { RemoteRecords } from "./remote-records.js";

const megabyte = 1_000_000;

/** Opens everything that is there for books on other servers. */
export async function openRemote(
  context: PluginContext<BooksSettings>,
  {
    database,
    ...capabilities
  }: {
    readonly database: Kysely<BookTables>;
    readonly library: CollectionContract;
    readonly plugins: KernelPlugins;
  },
): Promise<FetchingBooks> {
  const sources = context.open(RemoteBooks, sourceRules);
  const records = new RemoteRecords(database);
  const { log, memory, signal } = context;
  const cache = await context.storage.cache("remote", {
    maxBytes: context.settings.current.remoteMegabytes * megabyte,
  });
  const shown = context.own(new RemoteLibrary({ sources, ...capabilities, records, log, signal }));
  for (const listening of shown.start()) context.own(listening);
  return new FetchingBooks({ sources, records, cache, memory, signal });
}
