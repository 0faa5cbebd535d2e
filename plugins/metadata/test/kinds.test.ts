import { LibraryTypes } from "@longbox/collection/contract";
import { MetadataSources, type MetadataSource } from "@longbox/metadata/contract";
import { definePlugin } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { serve, volume } from "./support/server.js";

const words = { unit: { one: "book", other: "books" }, length: "pages", named: "by-title" } as const;

/** A library type for books, and a source that knows books and notes what it is asked for. */
function books(asked: string[]) {
  const note = async <T>(question: string, answer: T): Promise<T> => {
    asked.push(question);
    return answer;
  };
  const source: MetadataSource = {
    id: "bookshop",
    label: "The bookshop",
    libraryTypes: ["book"],
    searchVolumes: (query) => note(`search ${query}`, []),
    findVolume: (id) => note(`volume ${id}`, undefined),
    findIssue: (id) => note(`issue ${id}`, undefined),
    searchArcs: (query) => note(`arcs ${query}`, []),
    findArc: (id) => note(`arc ${id}`, undefined),
    listReleases: () => note("releases", []),
    test: async () => ({ ok: true, registered: true, message: "" }),
    countKept: async () => 0,
  };
  return {
    manifest: {
      id: "bookshop",
      title: "Bookshop",
      description: "Knows books",
      sdk: "^1.0.0",
      contributes: { libraryTypes: "^1.0.0", metadataSources: "^1.0.0" },
    },
    plugin: definePlugin({
      async activate(_, context) {
        context.contribute(LibraryTypes, { id: "book", label: "Books", words });
        context.contribute(MetadataSources, source);
      },
    }),
  };
}

async function synced(served: Awaited<ReturnType<typeof serve>>) {
  const admin = served.host.as("admin");
  await admin.post("/api/cv/sync", {});
  const state = async () => (await admin.get("/api/cv")).body;
  await expect.poll(async () => (await state()).finishedAt, { timeout: 30_000 }).toBeDefined();
  return state();
}

describe("the types of libraries that a source knows", () => {
  it("are the only ones about which a source of comics is asked", async () => {
    await using served = await serve({ plugins: [books([])] });
    served.provider.add(volume(5001, "Moth Patrol", 2));
    const admin = served.host.as("admin");
    const book = await served.place({ name: "Moth Patrol", year: 2019, numbers: ["1"] });
    expect((await admin.post(`/api/collection/${book}/type`, { type: "book" })).status).toBe(200);
    for (const [path, body] of [
      ["/api/cv/match", { seriesId: book }],
      ["/api/cv/match", { seriesId: book, providerId: 5001 }],
      [`/api/collection/${book}/cv`, { providerId: 5001 }],
    ] as const) {
      const answer = await admin.post(path, body);
      expect([path, answer.status, answer.body.code]).toEqual([path, 409, "metadata/unknown-type"]);
    }
    expect((await admin.post(`/api/collection/${book}/refresh`, {})).body).toMatchObject({ refreshed: false });
    expect(await synced(served)).toMatchObject({ total: 0, matched: 0 });
    expect(served.provider.asked).toEqual([]);
    await admin.post(`/api/collection/${book}/type`, { type: "comic" });
    expect((await admin.post("/api/cv/match", { seriesId: book })).body).toMatchObject({ matched: true, cvId: 5001 });
  });

  it("are declared by sources of other plugins as well", async () => {
    const asked: string[] = [];
    await using served = await serve({ plugins: [books(asked)], metadata: { source: "bookshop" } });
    const comic = await served.place({ name: "Moth Patrol", year: 2019, numbers: ["1"] });
    const book = await served.place({ name: "The Salt Road", year: 2019, numbers: ["1"] });
    await served.host.as("admin").post(`/api/collection/${book}/type`, { type: "book" });
    expect((await served.host.as("admin").post("/api/cv/match", { seriesId: comic })).status).toBe(409);
    expect(await synced(served)).toMatchObject({ total: 1, waiting: 1 });
    expect(asked).toEqual(["search The Salt Road"]);
  });
});
