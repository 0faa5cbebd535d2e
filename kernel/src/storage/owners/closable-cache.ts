import type { FileCache } from "@longbox/sdk";

/**
 * A cache of one opening of a storage: calls are refused after it is closed, while other openings continue to use the
 * folder.
 */
export function closableCache(cache: FileCache, refuseClosed: () => void): FileCache {
  const guarded =
    <P extends unknown[], R>(call: (...parameters: P) => Promise<R>) =>
    async (...parameters: P) => {
      refuseClosed();
      return call(...parameters);
    };
  return {
    find: guarded((key: string) => cache.find(key)),
    fetch: guarded((key: string, make: () => Promise<Uint8Array>) => cache.fetch(key, make)),
    take: guarded((key: string, path: string) => cache.take(key, path)),
    remove: guarded((key: string) => cache.remove(key)),
    clear: guarded(() => cache.clear()),
    sizeBytes: () => cache.sizeBytes(),
  };
}
