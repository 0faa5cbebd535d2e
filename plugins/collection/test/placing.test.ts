import { join } from "node:path";
import { systemViewer } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { openShelf } from "./support/shelf.js";

const numbersOf = (body: { issues: Array<{ number: string }> }) => body.issues.map((issue) => issue.number);

describe("placing files", () => {
  it("makes one series of one folder and name, and sorts its issues as people count", async () => {
    await using shelf = await openShelf();
    const numbers = ["10", "2", "½", "-1", "1A", "0", "1.5", "001"];
    const placed = await shelf.place(...numbers.map((number) => ({ number })), {
      number: "1",
      kind: "annual" as const,
    });
    expect(new Set(placed.map((file) => file.seriesId)).size).toBe(1);
    const { body } = await shelf.host.as("viewer").get(`/api/collection/${placed[0]?.seriesId}`);
    expect(numbersOf(body)).toEqual(["-1", "0", "½", "1", "1.5", "1A", "2", "10", "Annual 1"]);
    expect(body).toMatchObject({
      title: "Moth Patrol",
      total: 9,
      owned: 9,
      missing: 0,
      untagged: 9,
      size: 9000,
      matched: false,
      cvId: null,
      libraryId: shelf.libraryId,
    });
    expect(body).not.toHaveProperty("location");
  });

  it("gives an issue without a provider id a negative id that answers for ever", async () => {
    await using shelf = await openShelf();
    const [before] = await shelf.place({ number: "1" });
    const [after] = await shelf.place({ number: "1", ofIssue: { cvIssueId: 901 } });
    expect(after?.issueId).toBe(before?.issueId);
    const viewer = shelf.host.as("viewer");
    expect((await viewer.get("/api/issue/901")).body).toMatchObject({
      id: before?.issueId,
      cvIssueId: 901,
      number: "1",
    });
    expect((await viewer.get(`/api/issue/-${before?.issueId}`)).body).toMatchObject({
      id: before?.issueId,
      cvIssueId: 901,
    });
  });

  it("shows at once, however often the issue was asked for before", async () => {
    await using shelf = await openShelf();
    const [placed] = await shelf.place({ number: "1" });
    const admin = shelf.host.as("admin");
    const ask = async (who: "admin" | "viewer") =>
      (await shelf.host.as(who).get(`/api/issue/-${placed?.issueId}`)).body;
    expect([await ask("viewer"), await ask("viewer")]).toMatchObject([
      { files: [{ valid: true, size: 1000 }] },
      { files: [{ valid: true }] },
    ]);
    await shelf.place({ number: "1", change: { valid: false, error: "truncated", sizeBytes: 7 } });
    expect(await ask("viewer")).toMatchObject({ corrupt: true, files: [{ valid: false, size: 7 }] });
    await admin.post(`/api/collection/${placed?.seriesId}/restricted`, { restricted: true });
    expect([
      (await shelf.host.as("viewer").get(`/api/issue/-${placed?.issueId}`)).status,
      await ask("admin"),
    ]).toMatchObject([404, { corrupt: true }]);
  });

  it("is safe to repeat, and a file that changed is brought up to date", async () => {
    await using shelf = await openShelf();
    const first = await shelf.place({ number: "1" }, { number: "2" });
    expect(await shelf.place({ number: "1" }, { number: "2" })).toEqual(first);
    await shelf.place({ number: "2", change: { valid: false, error: "truncated", sizeBytes: 7, tagged: true } });
    const { body } = await shelf.host.as("admin").get(`/api/collection/${first[0]?.seriesId}`);
    expect(body).toMatchObject({ owned: 2, corrupt: 1, untagged: 1, size: 1007 });
    expect(body.issues[1]).toMatchObject({
      corrupt: true,
      status: "corrupt",
      files: [{ error: "truncated", valid: false, tagged: true, path: expect.stringContaining("Moth Patrol 2.cbz") }],
    });
    expect((await shelf.host.as("viewer").get("/api/collection?filter=problems")).body).toHaveLength(1);
  });

  it("tells series apart that share a folder or a name, and lets ids inside the files decide", async () => {
    await using shelf = await openShelf();
    const folder = join(shelf.root, "comics", "mixed");
    const placed = await shelf.place(
      { series: "Moth Patrol", folder },
      { series: "Candle", folder },
      { series: "Moth Patrol", folder: join(folder, "other"), path: join(folder, "other", "x.cbz") },
      { series: "Moth Patrol", number: "2", folder: join(folder, "third"), ofSeries: { cvId: 5001 } },
      { series: "Mottenpatrouille", number: "3", folder: join(folder, "fourth"), ofSeries: { cvId: 5001 } },
    );
    expect(placed.map((file) => file.seriesId - (placed[0]?.seriesId ?? 0))).toEqual([0, 1, 2, 3, 3]);
  });

  it("never lets an annual stand for the issue of the same number", async () => {
    await using shelf = await openShelf();
    const [issue, annual, written] = await shelf.place(
      { number: "1" },
      { number: "1", kind: "annual" },
      { number: "Annual 1", path: "/elsewhere/a.cbz" },
    );
    expect(annual?.issueId).not.toBe(issue?.issueId);
    expect(written?.issueId).toBe(annual?.issueId);
  });

  it("reads right-to-left series as manga, and keeps what the files tell", async () => {
    await using shelf = await openShelf();
    const credits = [{ name: "Ada Quill", role: "writer" }];
    const [placed] = await shelf.place({
      ofSeries: { rightToLeft: true },
      ofIssue: {
        title: "Lamp Oil",
        coverDate: "2019-05-01",
        description: "A patrol.",
        credits,
        characters: ["Mo"],
        arcs: ["Dusk"],
        url: "https://example.org/1",
      },
    });
    const issue = await shelf.host.as("viewer").get(`/api/issue/-${placed?.issueId}`);
    expect(issue.body).toMatchObject({
      title: "Lamp Oil",
      coverDate: "2019-05-01",
      description: "A patrol.",
      credits,
      characters: ["Mo"],
      teams: [],
      locations: [],
      arcs: ["Dusk"],
      url: "https://example.org/1",
      seriesTitle: "Moth Patrol",
    });
    expect((await shelf.host.as("viewer").get("/api/collection?filter=manga")).body).toHaveLength(1);
  });
});

describe("files that move or go", () => {
  it("keep their issue when they move, in circles too, and their new folder means the same series", async () => {
    await using shelf = await openShelf();
    const [one, two] = await shelf.place({ number: "1" }, { number: "2" });
    const [a, b] = [one?.path as string, two?.path as string];
    await shelf.library.moveFiles([
      { from: a, to: b },
      { from: b, to: a },
    ]);
    const holding = async (issueId: number) => (await shelf.library.listHoldings(issueId)).map((file) => file.path);
    expect([await holding(one?.issueId as number), await holding(two?.issueId as number)]).toEqual([[b], [a]]);
    const moved = join(shelf.root, "comics", "New Folder");
    await shelf.library.moveFiles([{ from: b, to: join(moved, "1.cbz") }]);
    const [third] = await shelf.place({ number: "3", folder: moved });
    expect(third?.seriesId).toBe(one?.seriesId);
  });

  it("move by the thousand in one step", async () => {
    await using shelf = await openShelf({ storage: "sqlite" });
    const placed = await shelf.place(
      ...Array.from({ length: 2_000 }, (_, index) => ({
        series: `Series ${index % 100}`,
        number: String(Math.floor(index / 100) + 1),
      })),
    );
    await shelf.library.moveFiles(
      placed.map(({ path }) => ({ from: path, to: path.replace("/Series", "/Moved/Series") })),
    );
    const { body } = await shelf.host.as("admin").get(`/api/collection/${placed[0]?.seriesId}`);
    expect(
      body.issues.map((issue: { files: Array<{ path: string }> }) =>
        issue.files.map((file) => file.path.includes("/Moved/")),
      ),
    ).toEqual(Array.from({ length: 20 }, () => [true]));
    expect(body.location).toContain("/Moved/");
  });

  it("take their series with them when only a scan knew it, and bring back the same ids", async () => {
    await using shelf = await openShelf();
    const [gone] = await shelf.place({ number: "1" });
    const [followed] = await shelf.place({ series: "Candle" });
    const viewer = shelf.host.as("viewer");
    await viewer.post(`/api/collection/${followed?.seriesId}/follow`);
    await shelf.library.removeFiles([gone?.path as string, followed?.path as string]);
    expect((await viewer.get("/api/collection")).body.map((row: { title: string }) => row.title)).toEqual(["Candle"]);
    expect((await viewer.get(`/api/collection/${gone?.seriesId}`)).status).toBe(404);
    expect(await shelf.place({ number: "1" })).toEqual([gone]);
    expect((await viewer.get(`/api/collection/${gone?.seriesId}`)).body).toMatchObject({ owned: 1, total: 1 });
  });

  it("leave the other issues of their series as they are", async () => {
    await using shelf = await openShelf();
    const [one, two] = await shelf.place({ number: "1" }, { number: "2" });
    await shelf.library.removeFiles([two?.path as string]);
    expect(
      (await shelf.library.listIssues(one?.seriesId as number, systemViewer)).map((issue) => issue.number),
    ).toEqual(["1"]);
  });

  it("are all there or not at all: a batch that fails changes nothing", async () => {
    await using shelf = await openShelf();
    const broken = { ...shelf.file({ number: "2" }), modifiedAt: undefined as never };
    await expect(shelf.library.placeFiles([shelf.file({ number: "1" }), broken])).rejects.toThrow();
    expect((await shelf.host.as("viewer").get("/api/collection")).body).toEqual([]);
  });

  it("cuts what is longer than anything honest, and keeps the rest", async () => {
    await using shelf = await openShelf();
    const [placed] = await shelf.place({
      series: "s".repeat(70_000),
      folder: `${shelf.root}/comics/long`,
      path: `${shelf.root}/comics/long/1.cbz`,
      number: "1",
      ofIssue: {
        title: `a\0${"t".repeat(3_000_000)}`,
        description: "d".repeat(3_000_000),
        credits: Array.from({ length: 5000 }, (_, at) => ({ name: `Name ${at}`, role: "writer" })),
        characters: ["\ud800x"],
      },
    });
    const { body } = await shelf.host.as("viewer").get(`/api/issue/-${placed?.issueId}`);
    expect([body.seriesTitle.length, body.title.length, body.description.length]).toEqual([500, 500, 20_000]);
    expect(body.title.startsWith("att")).toBe(true);
    expect(body.credits).toHaveLength(300);
    expect(body.characters).toEqual(["\ufffdx"]);
  });
});
