import { describe, expect, it } from "vitest";
import { Community } from "./support/community.js";
import { listFile } from "./support/list-files.js";
import { openShelf } from "./support/shelf.js";

const odd = "Lamplight Press/[1] Moth & Candle #1 (it's 100%).cbl";

async function openCommunity() {
  const community = await Community.start();
  community.files.set(
    odd,
    listFile(
      [
        { series: "Moth", number: "1", issue: 901 },
        { series: "Moth", number: "2" },
      ],
      "Moth & Candle",
    ),
  );
  community.files.set("A/B/C/deep.cbl", listFile([{ series: "Deep", number: "1", issue: 5 }], ""));
  const shelf = await openShelf({ alone: true, storage: "sqlite", settings: { lists: community.settings } });
  return {
    community,
    shelf,
    viewer: shelf.host.as("viewer"),
    async [Symbol.asyncDispose]() {
      await shelf[Symbol.asyncDispose]();
      await community[Symbol.asyncDispose]();
    },
  };
}

describe("the community catalog", () => {
  it("lists paths, asked for once in six hours, also over a restart", async () => {
    await using open = await openCommunity();
    const answers = await Promise.all([1, 2, 3].map(() => open.viewer.get("/api/lists/cbl-catalog")));
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: ["A/B/C/deep.cbl", odd] });
    expect(Date.now() - Date.parse(answers[0]?.headers.get("x-fetched-at") ?? "")).toBeLessThan(60_000);
    await open.shelf.host.restart();
    expect((await open.viewer.get("/api/lists/cbl-catalog")).body).toHaveLength(2);
    expect(open.community.asked).toEqual(["/tree?recursive=1"]);
  });

  it("previews and imports a list, whatever its path is made of", async () => {
    await using open = await openCommunity();
    expect(await open.viewer.post("/api/lists/cbl-preview", { path: odd })).toMatchObject({
      status: 200,
      body: { name: "Moth & Candle", total: 2, books: [{ cvIssueId: 901, hasId: true }, { hasId: false }] },
    });
    const { status, body } = await open.viewer.post("/api/lists/import-cbl-catalog", { path: odd });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        name: "Moth & Candle",
        imported: 1,
        total: 2,
        unmatched: [{ series: "Moth", number: "2", reason: expect.any(String) }],
      },
    });
    expect(open.community.asked).toEqual([
      "/tree?recursive=1",
      "/raw/Lamplight%20Press/%5B1%5D%20Moth%20%26%20Candle%20%231%20%28it%27s%20100%25%29.cbl",
    ]);
    expect((await open.viewer.post("/api/lists/import-cbl-catalog", { path: "A/B/C/deep.cbl" })).body).toMatchObject({
      name: "deep",
    });
  });

  it("takes no path that is not in it, nor one that leads elsewhere", async () => {
    await using open = await openCommunity();
    for (const path of ["/api/lists/import-cbl-catalog", "/api/lists/cbl-preview"]) {
      for (const wrong of [
        "../outside.cbl",
        "/absolute.cbl",
        "A/../../B.cbl",
        "A\\B.cbl",
        "README.md",
        "A//B.cbl",
        "",
        5,
        undefined,
      ]) {
        expect(await open.viewer.post(path, { path: wrong }), `${path} ${wrong}`).toMatchObject({
          status: 400,
          body: { details: { path: expect.any(String) } },
        });
      }
      expect(await open.viewer.post(path, { path: "A/missing.cbl" })).toMatchObject({
        status: 404,
        body: { code: "lists/not-in-catalog" },
      });
    }
    expect(open.community.asked.filter((path) => path !== "/tree?recursive=1")).toEqual([]);
  });

  it("says clearly that it cannot be read", async () => {
    await using open = await openCommunity();
    const paths = ["/api/lists/cbl-catalog"];
    open.community.trouble = (response) => response.writeHead(500).end("<h1>no</h1>");
    expect(await open.viewer.get(paths[0] as string)).toMatchObject({
      status: 502,
      body: { error: "The community catalog cannot be read: it answers 500.", code: "lists/catalog-unreachable" },
    });
    open.community.trouble = (response) => response.destroy();
    expect(await open.viewer.post("/api/lists/import-cbl-catalog", { path: odd })).toMatchObject({ status: 502 });
    open.community.trouble = (response) => response.writeHead(200).end("<html>please wait</html>");
    expect((await open.viewer.get("/api/lists/cbl-catalog")).body.error).toContain("unknown shape");
    open.community.trouble = undefined;
    expect((await open.viewer.get("/api/lists/cbl-catalog")).status).toBe(200);
    open.community.trouble = (response) => response.writeHead(200).end(Buffer.alloc(4 * 1024 * 1024 + 1));
    expect((await open.viewer.post("/api/lists/import-cbl-catalog", { path: odd })).body.error).toContain("more than");
    open.community.trouble = (response) => response.writeHead(404).end();
    expect((await open.viewer.post("/api/lists/import-cbl-catalog", { path: odd })).status).toBe(404);
    expect(
      (await open.shelf.host.as("admin").post("/api/settings", { lists: { catalogIndexUrl: "ftp://x" } })).status,
    ).toBe(400);
    await open.shelf.host.as("admin").post("/api/settings", { lists: { catalogIndexUrl: "" } });
    expect(await open.viewer.get("/api/lists/cbl-catalog")).toMatchObject({
      status: 503,
      body: { code: "lists/catalog-off" },
    });
  });

  it("reads the tree of other git servers too", async () => {
    await using open = await openCommunity();
    open.community.index = [{ path: "One.cbl", type: "blob" }, { path: "readme.md" }, { path: "Two.CBL" }];
    expect((await open.viewer.get("/api/lists/cbl-catalog")).body).toEqual(["One.cbl", "Two.CBL"]);
  });
});
