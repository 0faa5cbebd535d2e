// Answers from what the user has saved for offline use, and only when the server cannot be reached: online, every
// request goes to the server, so nothing that it says is ever old, and updates arrive as without this file.

/** Where Longbox begins on its host: nothing, or a path such as `/longbox`. */
const base = new URL(".", location.href).pathname.slice(0, -1);
/** As `saved-items.ts` names caches. */
const prefix = `longbox-offline${base}-`;
/** A network that is there but leads nowhere lets requests wait for minutes: what is saved is shown after this time. */
const patienceMs = 5_000;
/** After that has happened, the next requests need not wait as long. */
const hurriedPatienceMs = 300;
const hurryMs = 30_000;
let hurriedUntil = 0;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  // An event stream never ends, and waits by itself until the server is back.
  if (url.origin !== location.origin || url.pathname === `${base}/api/events`) return;
  if (request.method === "GET") event.respondWith(answer(request));
  else if (isJson(request)) event.respondWith(send(event, url.pathname));
});

const isJson = ({ headers }) => (headers.get("Content-Type") ?? "").startsWith("application/json");

async function answer(request) {
  const asked = fetch(request);
  try {
    return await inTime(asked);
  } catch {
    // The server did not answer, or not in time. What is not saved waits for it, and fails as it does.
    return (!request.signal.aborted && (await findSaved(request))) || asked;
  }
}

async function inTime(asked) {
  const waitMs = Date.now() < hurriedUntil ? hurriedPatienceMs : patienceMs;
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => {
      hurriedUntil = Date.now() + hurryMs;
      reject(new Error("The server does not answer."));
    }, waitMs);
  });
  try {
    const answered = await Promise.race([asked, late]);
    hurriedUntil = 0;
    return answered;
  } finally {
    clearTimeout(timer);
  }
}

/** What is saved of something that changes, such as a position, is renewed after every change. */
async function send(event, path) {
  const sent = fetch(event.request);
  const renewed = sent.then((answered) => answered.ok && renew(path));
  // The page learns of a failure by its own request.
  event.waitUntil(renewed.catch(() => undefined));
  return sent;
}

async function renew(path) {
  for (const cache of await savedCaches()) {
    for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
      for (const request of await cache.keys(at, { ignoreSearch: true })) {
        const old = await cache.match(request, { ignoreVary: true });
        if (!old || !isJson(old)) continue;
        const fresh = await fetch(request.url, { headers: { Accept: "application/json" } });
        if (fresh.ok) await cache.put(request, fresh);
      }
    }
  }
}

async function savedCaches() {
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix));
  return Promise.all(names.map((name) => caches.open(name)));
}

async function findSaved(request) {
  for (const cache of await savedCaches()) {
    const found = await match(cache, request);
    if (found) return part(cache, request, found);
  }
  return undefined;
}

async function match(cache, request) {
  const exact = await cache.match(request.url, { ignoreVary: true });
  if (exact) return exact;
  // A page may ask for an image in another width. Other queries mean other things.
  if (request.destination === "image") return cache.match(request.url, { ignoreVary: true, ignoreSearch: true });
  const isPage = request.mode === "navigate" && request.destination === "document";
  return isPage && !new URL(request.url).pathname.startsWith(`${base}/api/`) ? cache.match(`${base}/`) : undefined;
}

/** The saved answer, or the bytes of it that are asked for: players cannot seek in a sound otherwise. */
async function part(cache, request, found) {
  const range = request.headers.get("Range");
  if (range === null && !found.headers.has("X-Longbox-Pieces")) return found;
  const content = await contentOf(cache, found);
  const headers = new Headers(found.headers);
  headers.set("Accept-Ranges", "bytes");
  const [first, last] = range === null ? [0, content.size - 1] : boundsOf(range, content.size);
  if (first > last || first >= content.size) {
    headers.set("Content-Range", `bytes */${content.size}`);
    return new Response(null, { status: 416, headers });
  }
  headers.set("Content-Length", String(last - first + 1));
  if (range !== null) headers.set("Content-Range", `bytes ${first}-${last}/${content.size}`);
  return new Response(streamOf(content, first, last), { status: range === null ? 200 : 206, headers });
}

/** Both bounds are part of it. A range that is not understood is the whole. */
function boundsOf(range, size) {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (from === undefined || (from === "" && to === "")) return [0, size - 1];
  if (from === "") return [Math.max(0, size - Number(to)), size - 1];
  return [Number(from), to === "" ? size - 1 : Math.min(Number(to), size - 1)];
}

/** Large files are saved in pieces (`fetching-into.ts`), so that a part of one is read without the rest. */
async function contentOf(cache, found) {
  const pieces = found.headers.get("X-Longbox-Pieces");
  if (pieces === null) {
    const blob = await found.blob();
    return { size: blob.size, pieceBytes: Math.max(1, blob.size), read: async () => blob };
  }
  const [size, pieceBytes] = ["X-Longbox-Size", "X-Longbox-Piece-Size"].map((name) => Number(found.headers.get(name)));
  const read = async (index) => {
    const piece = await cache.match(`${pieces}${index}`);
    if (!piece) throw new Error("A part of what was saved is gone.");
    return piece.blob();
  };
  return { size, pieceBytes, read };
}

function streamOf({ pieceBytes, read }, first, last) {
  let at = first;
  return new ReadableStream({
    async pull(controller) {
      const index = Math.floor(at / pieceBytes);
      const begin = at - index * pieceBytes;
      const end = Math.min(pieceBytes, last + 1 - index * pieceBytes);
      const bytes = await (await read(index)).slice(begin, end).arrayBuffer();
      controller.enqueue(new Uint8Array(bytes));
      at += end - begin;
      if (at > last) controller.close();
    },
  });
}
