// Answers from what the user has saved for offline use, and only when the server cannot be reached: online, every request goes to
// the server, so nothing that it says is ever old, and updates arrive as without this file. It saves nothing itself.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  // An event stream never ends, and waits by itself until the server is back.
  if (request.method !== "GET" || url.origin !== location.origin || url.pathname === "/api/events") return;
  event.respondWith(fetch(request).catch((problem) => saved(request, problem)));
});

async function saved(request, problem) {
  if (request.signal.aborted) throw problem;
  for (const name of await caches.keys()) {
    if (!name.startsWith("longbox-offline-")) continue;
    const cache = await caches.open(name);
    const found =
      request.mode === "navigate"
        ? await cache.match("/")
        : ((await cache.match(request)) ?? (await cache.match(request, { ignoreSearch: true, ignoreVary: true })));
    if (found) return found;
  }
  throw problem;
}
