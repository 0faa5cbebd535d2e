import { Collection, type ReadFile } from "@longbox/collection/contract";
import { RequestSources } from "@longbox/requests/contract";
import { definePlugin } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { openRequestsDesk, until, type RequestsDesk } from "./support/requests-desk.js";

const works = [
  { externalId: "OL1W", title: "Low Tides", authors: ["Ada Quill"], year: 2001 },
  { externalId: "OL2W", title: "High Tides", authors: ["Ada Quill"], year: 2004 },
];

/** A plugin that finds e-books, and adds what is asked for to the series of its author. */
function bookSource(options: { readonly idScheme?: string } = {}) {
  const added: Array<{ externalId: string; by: string; download: boolean }> = [];
  const plugin = definePlugin({
    requires: { library: Collection },
    activate({ library }, context) {
      context.contribute(RequestSources, {
        kind: "ebook",
        ...options,
        search: async (query) => works.filter(({ title }) => title.toLowerCase().includes(query.toLowerCase())),
        find: async (id) => works.find(({ externalId }) => externalId === id),
        async add(externalId, { viewer, download }) {
          added.push({ externalId, by: viewer.user.username, download });
          const { items } = await library.listSeries({ search: "Tides" }, viewer);
          const [series] = items;
          if (!series) throw new Error("There is no series of this author.");
          return { seriesId: series.id, queued: 0 };
        },
      });
    },
  });
  const manifest = {
    id: "bookshop",
    title: "Bookshop",
    description: "Finds e-books in a test",
    sdk: "^1.0.0",
    requires: { collection: "^1.0.0" },
    contributes: { requestSources: "^1.0.0" },
  };
  return { added, plugin: { manifest, plugin } };
}

/** A book comes into the library, as a scan would find it. */
async function arrives(desk: RequestsDesk, title: string, ids?: Readonly<Record<string, string>>): Promise<void> {
  const folder = "/library/Tides";
  const file: ReadFile = {
    libraryId: 1,
    path: `${folder}/${title}.epub`,
    name: `${title}.epub`,
    sizeBytes: 1,
    modifiedAt: "2026-01-01T00:00:00.000Z",
    pages: 0,
    valid: true,
    tagged: true,
    series: { name: "Tides", folder },
    issue: { number: "", kind: "issue", title, ...(ids && { ids }) },
  };
  await desk.host.use(Collection).placeFiles([file]);
}

const stateOf = async (desk: RequestsDesk, id: number): Promise<string> =>
  (await desk.host.as("viewer").get("/api/requests")).body.requests.find((row: { id: number }) => row.id === id)?.state;

describe("a book", () => {
  it("is found at a plugin's source, asked for, voted for, and fulfilled by the very work", async () => {
    const shop = bookSource({ idScheme: "openlibrary" });
    await using desk = await openRequestsDesk({ plugins: [shop.plugin] });
    await arrives(desk, "Spring Tides");
    const viewer = desk.host.as("viewer");
    const found = await viewer.get("/api/requests/search?kind=ebook&q=low");
    expect(found.body).toEqual([
      { kind: "ebook", externalId: "OL1W", title: "Low Tides", authors: ["Ada Quill"], year: 2001, inLibrary: false },
    ]);
    const asked = await viewer.post("/api/requests", { kind: "ebook", externalId: "OL1W" });
    expect(asked).toMatchObject({ status: 200, body: { state: "pending" } });
    const { id } = asked.body;
    expect(
      (await desk.host.as("member").post("/api/requests", { kind: "ebook", externalId: "OL1W" })).body,
    ).toMatchObject({
      id,
      voted: true,
    });
    const approved = await desk.host.as("trusted").post(`/api/requests/${id}/approve`, { download: true });
    expect(approved.body).toMatchObject({ state: "approved", seriesId: expect.any(Number) });
    expect(shop.added).toEqual([{ externalId: "OL1W", by: expect.any(String), download: true }]);
    // Another book of the same series is not what was asked for.
    await arrives(desk, "High Tides", { openlibrary: "OL2W" });
    await arrives(desk, "Low Tides", { openlibrary: "/works/OL1W" });
    await until(async () => (await stateOf(desk, id)) === "fulfilled");
    // They are told once the request is fulfilled.
    for (const role of ["viewer", "member"])
      await until(async () => (await desk.told(role)).includes("Low Tides is in the library"));
    expect(await desk.told("viewer")).not.toContain("High Tides is in the library");
  });

  it("that came by another way fulfils a request that is not decided yet", async () => {
    const shop = bookSource({ idScheme: "openlibrary" });
    await using desk = await openRequestsDesk({ plugins: [shop.plugin] });
    const ask = (externalId: string) => desk.host.as("viewer").post("/api/requests", { kind: "ebook", externalId });
    const [low, high] = [(await ask("OL1W")).body.id, (await ask("OL2W")).body.id];
    await arrives(desk, "High Tides", { openlibrary: "OL2W" });
    await until(async () => (await stateOf(desk, high)) === "fulfilled");
    expect(await stateOf(desk, low)).toBe("pending");
  });

  it("of a source without ids is fulfilled by what arrives in its series; a source that fails leaves it pending", async () => {
    const shop = bookSource();
    await using desk = await openRequestsDesk({ plugins: [shop.plugin] });
    const { id } = (await desk.host.as("viewer").post("/api/requests", { kind: "ebook", externalId: "OL1W" })).body;
    const approve = () => desk.host.as("trusted").post(`/api/requests/${id}/approve`, {});
    expect((await approve()).status).toBe(500);
    expect(await stateOf(desk, id)).toBe("pending");
    await arrives(desk, "Spring Tides");
    expect((await approve()).body).toMatchObject({ state: "approved" });
    await arrives(desk, "Low Tides");
    await until(async () => (await stateOf(desk, id)) === "fulfilled");
    await desk.host.disable("bookshop");
    expect((await desk.host.as("viewer").get("/api/requests/search?kind=ebook&q=low")).status).toBe(503);
  });
});
