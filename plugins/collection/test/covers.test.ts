import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { definePlugin, systemViewer, type Viewer } from "@longbox/sdk";
import { Covers, CoverSources, type CoverSource } from "@longbox/collection/contract";
import { openShelf } from "./support/shelf.js";

const draw = (width: number, height: number, colour: string) =>
  sharp({ create: { width, height, channels: 3, background: colour } })
    .png()
    .toBuffer();

/** A plugin that has one picture for one issue, and counts how often it is asked for it. */
function coverPlugin(id: string, source: Partial<CoverSource> & Pick<CoverSource, "rank">) {
  const none: CoverSource = { rank: source.rank, validator: async () => undefined, findCover: async () => undefined };
  return {
    manifest: { id, title: id, description: "", sdk: "^1.0.0", contributes: { coverSources: "^1.0.0" } },
    plugin: definePlugin({ activate: (_, context) => void context.contribute(CoverSources, { ...none, ...source }) }),
  };
}

describe("covers", () => {
  it("come from the first source that has one, are resized once, and are kept", async () => {
    const picture = await draw(400, 600, "#336699");
    let version = "one";
    let asked = 0;
    const near = coverPlugin("near", { rank: 1 });
    const far = coverPlugin("far", {
      rank: 2,
      validator: async () => version,
      findCover: async () => ((asked += 1), { bytes: picture, contentType: "image/png" }),
    });
    await using shelf = await openShelf({ plugins: [near, far, "imaging"] });
    const [placed] = await shelf.place({ number: "1" });
    const viewer = shelf.host.as("viewer");
    const path = `/api/issue/-${placed?.issueId}/cover?w=160`;
    const first = await viewer.get(path, { accept: "image/webp" });
    expect(first.headers.get("content-type")).toBe("image/webp");
    expect(await sharp(first.bytes).metadata()).toMatchObject({ format: "webp", width: 160, height: 240 });
    const etag = first.headers.get("etag") as string;
    expect((await viewer.get(path, { accept: "image/webp", "if-none-match": etag })).status).toBe(304);
    expect(
      (await viewer.get(`/api/collection/${placed?.seriesId}/cover?w=160`, { accept: "image/webp" })).headers.get(
        "etag",
      ),
    ).toBe(etag);
    expect(asked).toBe(1);
    version = "two";
    expect((await viewer.get(path, { accept: "image/webp", "if-none-match": etag })).status).toBe(200);
    expect(asked).toBe(2);
  });

  it("are sent as they are when no width is asked for or nothing can resize", async () => {
    const picture = await draw(40, 60, "#993366");
    const source = coverPlugin("near", {
      rank: 1,
      validator: async () => "one",
      findCover: async () => ({ bytes: picture, contentType: "image/png" }),
    });
    await using shelf = await openShelf({ plugins: [source] });
    const [placed] = await shelf.place({ number: "1" });
    for (const query of ["", "?w=320"]) {
      const answer = await shelf.host.as("viewer").get(`/api/issue/-${placed?.issueId}/cover${query}`);
      expect([answer.headers.get("content-type"), Buffer.compare(answer.bytes, picture)]).toEqual(["image/png", 0]);
    }
    expect((await shelf.host.as("viewer").get(`/api/issue/-${placed?.issueId}/cover?w=0`)).status).toBe(400);
  });

  it("are sent as they are when they are of a kind that nothing can resize", async () => {
    const bitmap = Buffer.concat([Buffer.from("BM"), Buffer.alloc(60)]);
    const source = coverPlugin("near", {
      rank: 1,
      validator: async () => "one",
      findCover: async () => ({ bytes: bitmap, contentType: "image/bmp" }),
    });
    await using shelf = await openShelf({ plugins: [source, "imaging"] });
    const [placed] = await shelf.place({ number: "1" });
    const answer = await shelf.host.as("viewer").get(`/api/issue/-${placed?.issueId}/cover?w=320`);
    expect([answer.status, answer.headers.get("content-type"), Buffer.compare(answer.bytes, bitmap)]).toEqual([
      200,
      "image/bmp",
      0,
    ]);
  });

  it.each([
    ["few at a time from the disk", false, 3],
    ["more from another server, which is waited for", true, 8],
  ])("are read by many requests %s", async (_, isRemote, most) => {
    const picture = await draw(40, 60, "#336699");
    const room = Promise.withResolvers<void>();
    let [held, peak] = [0, 0];
    const source = coverPlugin("near", {
      rank: 1,
      isRemote,
      validator: async () => "one",
      async findCover() {
        held += 1;
        peak = Math.max(peak, held);
        await room.promise;
        held -= 1;
        return { bytes: picture, contentType: "image/png" };
      },
    });
    await using shelf = await openShelf({ plugins: [source, "imaging"] });
    const placed = [];
    for (let number = 1; number <= 12; number++) placed.push(...(await shelf.place({ number: String(number) })));
    const viewer = shelf.host.as("viewer");
    const answers = placed.map(({ issueId }) => viewer.get(`/api/issue/-${issueId}/cover?w=160`));
    await expect.poll(() => held).toBe(most);
    room.resolve();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(placed.map(() => 200));
    expect(peak).toBe(most);
  });

  it("answer 404 when no source has one", async () => {
    await using shelf = await openShelf();
    const [placed] = await shelf.place({ number: "1" });
    expect(await shelf.host.as("viewer").get(`/api/collection/${placed?.seriesId}/cover`)).toMatchObject({
      status: 404,
      body: { code: "collection/no-cover" },
    });
    expect((await shelf.host.as("viewer").get("/api/issue/12345/cover")).status).toBe(404);
  });

  it("are there for other plugins, as content with a validator, and only of what the viewer may know of", async () => {
    const picture = await draw(400, 600, "#336699");
    const source = coverPlugin("near", {
      rank: 1,
      validator: async () => "one",
      findCover: async () => ({ bytes: picture, contentType: "image/png" }),
    });
    await using shelf = await openShelf({ plugins: [source, "imaging"] });
    const [placed] = await shelf.place({ number: "1" });
    const covers = shelf.host.use(Covers);
    const [issue, series] = [{ issueId: placed!.issueId }, { seriesId: placed!.seriesId }];
    const shape = { width: 160, plain: true };
    const described = await covers.describe(issue, shape, systemViewer);
    expect(described?.validator).toMatch(/^[0-9a-f]{32}$/);
    expect(await covers.describe(series, shape, systemViewer)).toEqual(described);
    const content = await covers.read(issue, shape, systemViewer);
    expect(content).toMatchObject({ kind: "file", contentType: "image/jpeg" });
    expect(await sharp((content as { path: string }).path).metadata()).toMatchObject({ format: "jpeg", width: 160 });

    await shelf.host.as("admin").post(`/api/collection/${placed?.seriesId}/restricted`, { restricted: true });
    const narrow: Viewer = { ...systemViewer, seesRestricted: false };
    expect(await covers.describe(issue, shape, narrow)).toBeUndefined();
    expect(await covers.describe(series, shape, narrow)).toBeUndefined();
    await expect(covers.read(issue, shape, narrow)).rejects.toMatchObject({ code: "collection/no-cover" });
  });

  it("say which of many issues and series have a cover, asking a source once where it can answer for all, and only about what the viewer may see", async () => {
    const questions: Array<readonly number[]> = [];
    const singly: number[] = [];
    const stored = coverPlugin("stored", {
      rank: 1,
      findCovered: async (issueIds) => (questions.push(issueIds), issueIds.filter((id) => id % 2 === 1)),
    });
    const elsewhere = coverPlugin("elsewhere", {
      rank: 2,
      async validator({ issueId }) {
        singly.push(issueId);
        if (issueId === 4) throw new Error("The disk cannot be read.");
        return issueId === 2 ? "one" : undefined;
      },
    });
    await using shelf = await openShelf({ plugins: [stored, elsewhere] });
    const placed = await shelf.place(...["A", "B", "C", "D", "E", "F"].map((series) => ({ series })));
    const covers = shelf.host.use(Covers);
    const series = placed.map(({ seriesId }) => ({ seriesId }));
    const subjects = [...series, { issueId: placed[1]!.issueId }, { seriesId: 999 }, { issueId: 999 }];
    expect(placed.map(({ issueId }) => issueId)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await covers.findCovered(subjects, systemViewer)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
      true,
      false,
      false,
    ]);
    expect([questions.map((ids) => ids.toSorted()), singly.toSorted()]).toEqual([[[1, 2, 3, 4, 5, 6]], [2, 4, 6]]);

    await shelf.host.as("admin").post(`/api/collection/${placed[0]?.seriesId}/restricted`, { restricted: true });
    const narrow: Viewer = { ...systemViewer, seesRestricted: false };
    const shown = await covers.findCovered([...series, { issueId: placed[0]!.issueId }], narrow);
    expect(shown).toEqual([false, true, true, true, true, false, false]);
  });
});
