import { anyOf, breathe, viewerOf, type Actor, type World } from "./world.ts";

/** Reads an issue from its first page to its last, and says so. */
export function reader(world: World, number: number): Actor {
  const client = viewerOf(world, `reader ${number}`);
  return {
    name: client.actor,
    everyMs: 4000,
    async turn() {
      const { cvIssueId, pages } = anyOf(world, world.issues);
      await client.get(`/api/reader/issue/${cvIssueId}`);
      for (let page = 0; page < pages && !world.signal.aborted; page++) {
        const width = anyOf(world, ["", "?w=120", "?w=240"]);
        await client.get(`/api/reader/issue/${cvIssueId}/page/${page}${width}`);
        await client.post(`/api/reader/issue/${cvIssueId}/progress`, { page, pages });
        await breathe(world, 800);
      }
    },
  };
}

/** Looks around: lists, covers, searches, statistics. */
export function browser(world: World): Actor {
  const client = viewerOf(world, "browser");
  const places = [
    () => "/api/collection?limit=60",
    () => `/api/collection?limit=60&sort=-title&search=${anyOf(world, ["moth", "salt", "orbit", "kites"])}`,
    () => "/api/collection/counts",
    () => `/api/collection/${anyOf(world, world.issues).seriesId}`,
    () => `/api/collection/${anyOf(world, world.issues).seriesId}/cover`,
    () => `/api/issue/${anyOf(world, world.issues).cvIssueId}`,
    () => `/api/issue/${anyOf(world, world.issues).cvIssueId}/cover`,
    () => `/api/search?q=${anyOf(world, ["moth", "night bell", "engine 2"])}`,
    () => "/api/reader/continue",
    () => "/api/wanted?limit=60",
    () => "/api/status",
    () => "/api/stats",
    () => "/api/plugins/client",
    () => "/healthz",
    () => "/",
  ];
  return { name: "browser", everyMs: 1000, turn: async () => void (await client.get(anyOf(world, places)())) };
}

/** A reading app of the catalog. */
export function opdsApp(world: World): Actor {
  const client = viewerOf(world, "opds");
  return {
    name: "opds",
    everyMs: 5000,
    async turn() {
      const { seriesId, cvIssueId } = anyOf(world, world.issues);
      const base = anyOf(world, ["/api/opds", "/api/opds/v2"]);
      const paths = [
        base,
        `${base}/series`,
        `${base}/series/${seriesId}`,
        `/api/opds/issue/${cvIssueId}/cover?w=200`,
        `/api/opds/issue/${cvIssueId}/page/0?w=600`,
        `/api/opds/issue/${cvIssueId}/file`,
      ];
      for (const path of paths) {
        await client.get(path, { accept: "*/*" });
        await breathe(world, 400);
      }
    },
  };
}

/** Keeps the stream of events open for a while, and comes back. */
export function listener(world: World, number: number): Actor {
  const client = viewerOf(world, `listener ${number}`);
  return {
    name: client.actor,
    everyMs: 500,
    async turn() {
      const while_ = AbortSignal.timeout(Math.round(5000 + world.random.next() * 40_000));
      await client.listen("/api/events", AbortSignal.any([while_, world.signal]));
    },
  };
}
