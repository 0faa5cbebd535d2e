import type { OfflineClient, OfflineItem, SavedItem } from "@longbox/sdk/client";
import { addressOf, basePath, bytes, t } from "@longbox/sdk/ui";
import { deleteFrom, fetchInto, NotFetched } from "./fetching-into.js";
import type { LateReports } from "./late-reports.js";
import { movedAddress, readStart, replaceStart, saveStart } from "./start-files.js";

/** Other servers of this host keep caches of their own. */
const prefix = `longbox-offline${basePath}-`;
/** The key of the list of saved items in the cache; not an address of the server. */
const listAddress = addressOf("/offline/saved-items.json");
const atOnce = 3;

/**
 * What the user has saved on this device. All of it lies in one cache, named after the user, which is deleted when the
 * user signs out or another one signs in. The service worker answers from it while the server cannot be reached.
 */
export class SavedItems implements OfflineClient {
  readonly reports: LateReports;
  readonly #userId: () => number;

  /** @param userId - of the user who is signed in */
  constructor(reports: LateReports, userId: () => number) {
    this.reports = reports;
    this.#userId = userId;
  }

  /** Browsers offer it only to pages that came over https, or from the device itself. */
  get isSupported(): boolean {
    return "serviceWorker" in navigator && "caches" in globalThis;
  }

  async save(
    item: OfflineItem,
    told: (done: number, total: number) => void = () => undefined,
    signal?: AbortSignal,
  ): Promise<void> {
    const cache = await this.#cache();
    await requireRoom(item);
    try {
      await navigator.serviceWorker.register(addressOf("/service-worker.js"));
      const start = await saveStart(cache);
      const sizeBytes = await saveAll(cache, item.addresses, { told, signal });
      const saved = { ...item, sizeBytes, savedAt: new Date().toISOString() };
      await this.#change((items) => [...items.filter(({ path }) => path !== item.path), saved]);
      await replaceStart(cache, start, (await this.list()).flatMap(addressesOf));
    } catch (problem) {
      await this.#deleteUnneeded(cache, item.addresses);
      throw isFull(problem) ? new Error(noRoom) : problem;
    }
    await navigator.storage.persist();
  }

  async list(): Promise<readonly SavedItem[]> {
    if (!this.isSupported) return [];
    // Opening the cache would create it.
    const list = await caches.match(listAddress, { cacheName: this.#name });
    return list ? ((await list.json()) as SavedItem[]) : [];
  }

  async remove(path: string): Promise<void> {
    const cache = await this.#cache();
    const removed = (await this.list()).find((item) => item.path === path);
    await this.#change((items) => items.filter((item) => item.path !== path));
    await this.#deleteUnneeded(cache, removed?.addresses ?? []);
  }

  /** Keeps what is saved usable after an update of the server, and forgets what belongs to other users. */
  async follow(): Promise<void> {
    if (!this.isSupported) return;
    for (const name of await caches.keys())
      if (name.startsWith(prefix) && name !== this.#name) await caches.delete(name);
    if ((await this.list()).length > 0 && navigator.onLine) await this.#renew(await this.#cache());
  }

  /** The user has signed out: nothing of theirs stays on the device. */
  async forget(): Promise<void> {
    if (!this.isSupported) return;
    for (const name of await caches.keys()) if (name.startsWith(prefix)) await caches.delete(name);
  }

  get #name(): string {
    return `${prefix}${this.#userId()}`;
  }

  async #cache(): Promise<Cache> {
    if (!this.isSupported) throw new Error(t("savedItems.savesOnlyOver"));
    return caches.open(this.#name);
  }

  async #renew(cache: Cache): Promise<void> {
    await navigator.serviceWorker.register(addressOf("/service-worker.js"));
    const former = await readStart(cache);
    const start = await saveStart(cache);
    for (const item of await this.list()) {
      const addresses = item.addresses.map((address) => movedAddress(address, former, start));
      if (!(await renewAnswers(cache, addresses))) {
        await this.remove(item.path);
        continue;
      }
      await this.#change((items) =>
        // It may have been removed meanwhile, here or in another window.
        items.some(({ path }) => path === item.path)
          ? items.map((one) => (one.path === item.path ? { ...one, addresses } : one))
          : undefined,
      );
      await this.#deleteUnneeded(cache, item.addresses);
    }
    await replaceStart(cache, start, (await this.list()).flatMap(addressesOf));
  }

  /** Deletes what neither the interface nor an item of the list needs; without items the whole cache. */
  async #deleteUnneeded(cache: Cache, addresses: readonly string[]): Promise<void> {
    const items = await this.list();
    if (items.length === 0) return void (await caches.delete(this.#name));
    const needed = new Set([...(await readStart(cache)).addresses, ...items.flatMap(addressesOf)]);
    for (const address of addresses) if (!needed.has(address)) await deleteFrom(cache, address);
  }

  /** One change after the other, in all windows. @param change - returns undefined to leave the list as it is */
  async #change(change: (items: readonly SavedItem[]) => readonly SavedItem[] | undefined): Promise<void> {
    await navigator.locks.request(this.#name, async () => {
      const changed = change(await this.list());
      if (changed) await (await this.#cache()).put(listAddress, new Response(JSON.stringify(changed)));
    });
  }
}

const noRoom = t("savedItems.thereIsNotEnough");
const addressesOf = ({ addresses }: OfflineItem): readonly string[] => addresses;
const isFull = (problem: unknown): boolean => problem instanceof DOMException && problem.name === "QuotaExceededError";

/** @throws {Error} when the browser does not allow as much */
async function requireRoom({ expectedBytes = 0 }: OfflineItem): Promise<void> {
  const { quota, usage = 0 } = await navigator.storage.estimate();
  if (quota === undefined || usage + expectedBytes <= quota) return;
  const takes = t("savedItems.itTakes", { size: bytes(expectedBytes), free: bytes(Math.max(0, quota - usage)) });
  throw new Error(`${noRoom} ${takes}`);
}

interface Saving {
  readonly told: (done: number, total: number) => void;
  readonly signal: AbortSignal | undefined;
}

/** @returns how many bytes all of them take */
async function saveAll(cache: Cache, addresses: readonly string[], { told, signal }: Saving): Promise<number> {
  const parts = addresses.map(() => 0);
  const tell = (index: number, part: number) => {
    parts[index] = part;
    told(
      parts.reduce((sum, one) => sum + one, 0),
      addresses.length,
    );
  };
  // Where one fails, the others end at once.
  const stop = new AbortController();
  const all = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const waiting = [...addresses.entries()];
  let sizeBytes = 0;
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, address] = next;
      const told = (part: number) => tell(index, part);
      sizeBytes += await fetchInto(cache, address, { signal: all, told });
      tell(index, 1);
    }
  };
  const works = Array.from({ length: atOnce }, work);
  try {
    await Promise.all(works);
  } catch (problem) {
    stop.abort();
    await Promise.allSettled(works);
    throw problem;
  }
  return sizeBytes;
}

/** Fetches what changes, and what is not saved yet. @returns whether the user may still see the item */
async function renewAnswers(cache: Cache, addresses: readonly string[]): Promise<boolean> {
  for (const [index, address] of addresses.entries()) {
    const saved = await cache.match(addressOf(address), { ignoreVary: true });
    const isFile = saved !== undefined && !saved.headers.get("Content-Type")?.startsWith("application/json");
    if (isFile) continue;
    try {
      await fetchInto(cache, address);
    } catch (problem) {
      if (!(problem instanceof NotFetched)) throw problem;
      // While a plugin is disabled its addresses are not there; what was saved of it waits.
      const isGone = [403, 404].includes(problem.status) && problem.code !== "kernel/no-such-path";
      if (index === 0 && isGone) return false;
    }
  }
  return true;
}
