import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isLongboxError } from "@longbox/sdk";
import type { DataLayout } from "./data-layout.js";
import type { DatabaseSnapshot, StorageDriver } from "../engines/driver.js";
import type { Hold, OpenStorages } from "./open-storages.js";
import type { StorageSnapshot } from "../storing.js";

/** Long enough for any usual transaction, short enough to go unnoticed in a transaction that waits for us. */
const waitLimitMs = 200;
const attempts = 25;

interface OwnerSnapshot {
  readonly folder: string;
  readonly database: DatabaseSnapshot | undefined;
  readonly documents: ReadonlyMap<string, Uint8Array>;
}

/**
 * Captures the state of all data at one instant. Writers are paused only while it is captured, not while it is copied.
 */
export async function takeSnapshot(
  layout: DataLayout,
  open: OpenStorages,
  driver: StorageDriver,
): Promise<StorageSnapshot> {
  const places = { layout, owners: await layout.owners() };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await takeAtOnce(places, open, driver);
    } catch (fault) {
      const busy = isLongboxError(fault) && fault.code === "kernel/database-busy";
      if (!busy || attempt >= attempts) throw fault;
      // A transaction may be waiting for another owner that we held: let it finish, then try again.
      await pause(20 + Math.random() * 100);
    }
  }
}

async function takeAtOnce(
  { layout, owners }: { readonly layout: DataLayout; readonly owners: readonly string[] },
  open: OpenStorages,
  driver: StorageDriver,
): Promise<StorageSnapshot> {
  const held: Array<{ folder: string; hold: Hold }> = [];
  try {
    for (const owner of owners) {
      const folder = await layout.currentOf(owner);
      held.push({ folder, hold: await open.hold(owner, folder, waitLimitMs) });
    }
    return new TakenSnapshot(layout, owners, await takeOwners(held, driver));
  } finally {
    for (const { hold } of held) await hold.release();
  }
}

async function takeOwners(
  held: readonly { readonly folder: string; readonly hold: Hold }[],
  driver: StorageDriver,
): Promise<OwnerSnapshot[]> {
  const databases = held.flatMap(({ hold }) => (hold.shared ? [hold.shared] : []));
  const snapshots = await driver.snapshots(databases);
  try {
    return await Promise.all(
      held.map(async ({ folder, hold }) => ({
        folder,
        database: hold.shared && snapshots[databases.indexOf(hold.shared)],
        documents: await readDocuments(join(folder, "documents")),
      })),
    );
  } catch (fault) {
    for (const snapshot of snapshots) await snapshot.release();
    throw fault;
  }
}

async function readDocuments(folder: string): Promise<Map<string, Uint8Array>> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  const documents = new Map<string, Uint8Array>();
  for (const name of names) if (name.endsWith(".json")) documents.set(name, await readFile(join(folder, name)));
  return documents;
}

class TakenSnapshot implements StorageSnapshot {
  readonly owners: readonly string[];
  readonly #layout: DataLayout;
  readonly #taken: readonly OwnerSnapshot[];

  constructor(layout: DataLayout, owners: readonly string[], taken: readonly OwnerSnapshot[]) {
    this.#layout = layout;
    this.owners = owners;
    this.#taken = taken;
  }

  async copyTo(folder: string): Promise<void> {
    for (const [index, snapshot] of this.#taken.entries()) {
      const target = join(folder, relative(this.#layout.folder, snapshot.folder));
      await this.#copyOwner(snapshot, target);
      const owner = this.owners[index] as string;
      if (owner !== "kernel")
        await writeFile(
          join(dirname(target), "current.json"),
          JSON.stringify({ current: relative(dirname(target), target) }),
        );
    }
  }

  async release(): Promise<void> {
    for (const { database } of this.#taken) await database?.release();
  }

  async #copyOwner(snapshot: OwnerSnapshot, target: string): Promise<void> {
    await mkdir(target, { recursive: true });
    await snapshot.database?.copyTo(target);
    if (snapshot.documents.size > 0) await mkdir(join(target, "documents"), { recursive: true });
    for (const [name, bytes] of snapshot.documents) await writeFile(join(target, "documents", name), bytes);
    const files = join(snapshot.folder, "files");
    if (existsSync(files)) await cp(files, join(target, "files"), { recursive: true, preserveTimestamps: true });
  }
}
