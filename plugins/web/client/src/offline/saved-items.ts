import type { OfflineClient, OfflineItem, SavedItem } from "@longbox/sdk/client";
import type { ClientPart } from "@longbox/kernel/api";

const prefix = "longbox-offline-";
/** The key of the list of saved items in the cache; not an address of the server. */
const listAddress = "/offline/saved-items.json";
/** What every page asks for at its start. */
const startAddresses = ["/", "/theme.js", "/favicon.svg", "/api/auth/me", "/api/plugins/client"];
const atOnce = 3;

/**
 * What the user has saved on this device. All of it lies in one cache, named after the user, which is deleted when the user signs
 * out or another one signs in. The service worker answers from it while the server cannot be reached.
 */
export class SavedItems implements OfflineClient {
  readonly #userId: () => number;

  /** @param userId - of the user who is signed in */
  constructor(userId: () => number) {
    this.#userId = userId;
  }

  /** Browsers offer it only to pages that came over https, or from the device itself. */
  get isSupported(): boolean {
    return "serviceWorker" in navigator && "caches" in globalThis;
  }

  async save(item: OfflineItem, told: (done: number, total: number) => void = () => undefined): Promise<void> {
    const cache = await this.#cache();
    await navigator.serviceWorker.register("/service-worker.js");
    await this.#saveStart(cache);
    let [done, sizeBytes] = [0, 0];
    const waiting = [...item.addresses];
    const work = async () => {
      for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
        sizeBytes += await fetchInto(cache, address);
        told((done += 1), item.addresses.length);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    const others = (await this.list()).filter(({ path }) => path !== item.path);
    await writeList(cache, [...others, { ...item, sizeBytes, savedAt: new Date().toISOString() }]);
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
    const all = await this.list();
    const others = all.filter((item) => item.path !== path);
    await writeList(cache, others);
    const needed = new Set([...startAddresses, ...others.flatMap(({ addresses }) => addresses)]);
    for (const address of all.find((item) => item.path === path)?.addresses ?? [])
      if (!needed.has(address)) await cache.delete(address);
    if (others.length === 0) await caches.delete(this.#name);
  }

  /** Keeps what is saved usable after an update of the server, and forgets what belongs to other users. */
  async follow(): Promise<void> {
    if (!this.isSupported) return;
    await this.#forgetOthers();
    if ((await this.list()).length > 0 && navigator.onLine) await this.#saveStart(await this.#cache());
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
    if (!this.isSupported)
      throw new Error("This browser saves for offline use only over https, or on the server's own machine.");
    return caches.open(this.#name);
  }

  async #forgetOthers(): Promise<void> {
    for (const name of await caches.keys())
      if (name.startsWith(prefix) && name !== this.#name) await caches.delete(name);
  }

  /** The interface itself: its files, those of the plugins, and the answers that it begins with. */
  async #saveStart(cache: Cache): Promise<void> {
    const [files, parts] = await Promise.all([
      readJson<Record<string, { file: string; css?: string[] }>>("/assets.json"),
      readJson<readonly ClientPart[]>("/api/plugins/client"),
    ]);
    const own = Object.values(files).flatMap(({ file, css = [] }) => [file, ...css].map((name) => `/${name}`));
    const contributed = parts.flatMap(({ js, css }) => [js, css].filter((address) => address !== undefined));
    for (const address of new Set([...startAddresses, ...own, ...contributed])) await fetchInto(cache, address);
  }
}

async function readJson<T>(address: string): Promise<T> {
  const answer = await fetch(address, { headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  return (await answer.json()) as T;
}

/** @returns how many bytes it takes */
async function fetchInto(cache: Cache, address: string): Promise<number> {
  const answer = await fetch(address, address === "/" ? { headers: { accept: "text/html" } } : {});
  if (!answer.ok) throw new Error(`A part of it could not be saved: the server answered ${answer.status}.`);
  const { size } = await answer.clone().blob();
  await cache.put(address, answer);
  return size;
}

async function writeList(cache: Cache, items: readonly SavedItem[]): Promise<void> {
  await cache.put(listAddress, new Response(JSON.stringify(items)));
}
