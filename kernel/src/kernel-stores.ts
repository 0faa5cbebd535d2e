import path from "node:path";
import type { Releasable } from "@longbox/sdk";
import { accessMigrations, languageMigration } from "./access/migrations.js";
import type { AccessTables } from "./access/tables.js";
import type { Kysely } from "kysely";
import type { KernelOptions } from "./kernel-options.js";
import type { ServerLog } from "./logging/server-log.js";
import { auditMigrations } from "./plugins/audit.js";
import type { z } from "zod";
import { blockingsSchema, type KeptBlockings } from "./plugins/containment/blockings.js";
import { keptCatalogSchema, type KeptCatalog } from "./plugins/packages/catalog.js";
import { lockSchema, type Lock } from "./plugins/installed/lock-file.js";
import { keptAuthorsSchema, type KeptAuthors } from "./plugins/publishing/authors.js";
import { Settings } from "./settings/index.js";
import {
  openDocument,
  openStoring,
  type KeptDocument,
  type OpenStorage,
  type QueryListener,
  type Storing,
} from "./storage/index.js";
import { token } from "./injection.js";

/** Everything of the kernel that is kept on disk. */
export interface Stores extends Releasable {
  readonly storing: Storing;
  readonly kernel: OpenStorage;
  readonly database: Kysely<AccessTables>;
  readonly settings: Settings;
  readonly lock: KeptDocument<Lock>;
  readonly catalog: KeptDocument<KeptCatalog>;
  readonly blockings: KeptDocument<KeptBlockings>;
  readonly authors: KeptDocument<KeptAuthors>;
}
export const Stores = token<Stores>("what is kept on disk");

/** What opens the data folder hears of it. */
export interface StoresListener {
  /** Called after settings have been changed. */
  settingsChanged(): void;
  queried: QueryListener;
}

/** Opens the data folder. */
export async function openStores(options: KernelOptions, log: ServerLog, listener: StoresListener): Promise<Stores> {
  const { dataFolder: folder } = options;
  const storageLog = log.logger("storage");
  const storing = await openStoring(options.storage, { folder, log: storageLog, queried: listener.queried });
  const kernel = await storing.open("kernel");
  await kernel.migrate([...accessMigrations, ...auditMigrations, languageMigration]);
  const document = <T>(name: string, schema: z.ZodType<T>) => openDocument(path.join(folder, name), schema, storageLog);
  const [settings, lock, catalog, blockings, authors] = await Promise.all([
    Settings.open({ folder, log: log.logger("settings"), changed: listener.settingsChanged }),
    document("plugins.lock.json", lockSchema),
    document("plugins/catalog.json", keptCatalogSchema),
    document("plugins/blockings.json", blockingsSchema),
    document("plugins/authors.json", keptAuthorsSchema),
  ]);
  return {
    storing,
    kernel,
    database: kernel.database<AccessTables>(),
    settings,
    lock,
    catalog,
    blockings,
    authors,
    release: () => storing.release(),
  };
}
