import { describe, expect, it } from "vitest";
import { openBookRoom, until, type BookRoom } from "./support/book-room.ts";
import { trouble, type WorkSpec } from "./support/stand-in.ts";

const works: readonly WorkSpec[] = [
  {
    id: "OL1W",
    title: "Low Tides",
    authors: ["OL1A"],
    year: 2001,
    covers: [5],
    editions: [{ id: "OL11M", language: ["eng"] }],
  },
  { id: "OL2W", title: "Low Tides", authors: ["OL1A"], year: 1970, editions: [{ id: "OL21M", language: ["eng"] }] },
  { id: "OL3W", title: "Salt", authors: ["OL1A"], year: 1990, editions: [{ id: "OL31M", language: ["eng"] }] },
];

async function room(openLibrary: object = {}, storage: "memory" | "sqlite" = "memory"): Promise<BookRoom> {
  const opened = await openBookRoom({ openLibrary, storage });
  opened.standIn.authors.set("OL1A", "Ada Quill");
  opened.standIn.add(...works);
  return opened;
}
const unsure = { title: "Low Tides", authors: ["Ada Quill"], language: "en" };
const sure = { title: "Salt", authors: ["Ada Quill"], language: "en" };

describe("the review", () => {
  it("lists what is not certain, and a person's choice describes the book, can be corrected and taken back", async () => {
    await using opened = await room();
    const { cvIssueId, issueId } = await opened.place(unsure);
    await opened.place(sure);
    await opened.lookUp();
    const admin = opened.host.as("admin");
    const review = (await admin.get("/api/open-library/review")).body;
    expect(review).toMatchObject({
      total: 1,
      books: [
        {
          cvIssueId,
          title: "Low Tides",
          within: "Ada Quill",
          authors: ["Ada Quill"],
          language: "en",
          unit: "book",
          state: "review",
          candidates: [
            { workId: "OL1W", year: 2001, image: "/api/open-library/works/OL1W/cover" },
            { workId: "OL2W", year: 1970, image: null },
          ],
        },
      ],
    });
    expect((await admin.get("/api/open-library")).body).toMatchObject({ running: false, review: 1 });
    const path = `/api/open-library/books/${cvIssueId}/match`;
    const idsNow = async () => (await opened.library.findIds([issueId])).get(issueId)?.["openlibrary"];
    const former = await opened.library.findIssueDetails([issueId]);
    expect((await admin.post(path, { workId: "OL1W" })).body).toMatchObject({
      state: "matched",
      workId: "OL1W",
      reasons: ["chosen by a person"],
    });
    expect(await idsNow()).toEqual(["OL11M", "OL1W"]);
    await admin.post(path, { workId: "OL2W" });
    expect(await idsNow()).toEqual(["OL2W"]);
    expect((await admin.delete(path)).body).toMatchObject({ state: "dismissed", workId: null });
    expect(await idsNow()).toBeUndefined();
    expect(await opened.library.findIssueDetails([issueId])).toEqual(former);
    await opened.lookUp();
    expect((await admin.get(`/api/open-library/books/${cvIssueId}`)).body).toMatchObject({ state: "dismissed" });
    expect((await admin.get("/api/open-library/review")).body).toEqual({ books: [], total: 0 });
  });

  it("is for those who manage the library", async () => {
    await using opened = await room();
    const { cvIssueId } = await opened.place(sure);
    const answers: Array<[string, string, string]> = [
      ["get", "/api/open-library", "library.manage"],
      ["get", "/api/open-library/review", "library.manage"],
      ["get", "/api/open-library/search?q=salt", "library.manage"],
      ["get", `/api/open-library/books/${cvIssueId}`, "library.manage"],
      ["post", `/api/open-library/books/${cvIssueId}/match`, "library.manage"],
      ["delete", `/api/open-library/books/${cvIssueId}/match`, "library.manage"],
      ["post", "/api/open-library/sync", "library.manage"],
      ["post", "/api/open-library/test", "settings.manage"],
    ];
    for (const [method, path] of answers)
      for (const [role, status] of [
        ["anonymous", 401],
        ["viewer", 403],
        ["admin", 200],
      ] as const) {
        const client = opened.host.as(role);
        const answer = await (method === "get"
          ? client.get(path)
          : method === "post"
            ? client.post(path, {})
            : client.delete(path));
        expect([role, method, path, answer.status]).toEqual([role, method, path, status]);
      }
  });

  it("names no book that is hidden, and nothing of it is found by its number", async () => {
    await using opened = await room();
    const { seriesId, cvIssueId } = await opened.place(unsure);
    await opened.lookUp();
    const admin = opened.host.as("admin");
    await admin.post(`/api/collection/${seriesId}/restricted`, { restricted: true });
    await admin.post("/api/roles", {
      name: "keeper",
      label: "Keeper",
      permissions: ["library.view", "library.manage"],
    });
    const keeper = opened.host.as("keeper");
    const before = opened.standIn.asked.length;
    expect((await keeper.get("/api/open-library/review")).body).toEqual({ books: [], total: 0 });
    expect((await keeper.get("/api/open-library")).body).toEqual({ running: false, review: 0 });
    for (const answer of [
      await keeper.get(`/api/open-library/books/${cvIssueId}`),
      await keeper.post(`/api/open-library/books/${cvIssueId}/match`, { workId: "OL1W" }),
      await keeper.delete(`/api/open-library/books/${cvIssueId}/match`),
    ])
      expect(answer).toMatchObject({ status: 404, body: { code: "open-library/book-not-found" } });
    expect(opened.standIn.asked).toHaveLength(before);
    // What others looked up is not told by an answer that comes without Open Library.
    opened.standIn.always(trouble.html(500));
    expect((await keeper.get("/api/open-library/search?q=low%20tides")).status).toBe(502);
    expect((await admin.get("/api/open-library/review")).body.total).toBe(1);
  });

  it("does not take comics", async () => {
    await using opened = await room();
    const { cvIssueId, seriesId } = await opened.place(sure);
    await opened.host.as("admin").post(`/api/collection/${seriesId}/type`, { type: "comic" });
    const answer = await opened.host.as("admin").post(`/api/open-library/books/${cvIssueId}/match`, {});
    expect(answer).toMatchObject({ status: 409, body: { code: "open-library/unknown-type" } });
  });
});

describe("looking books up", () => {
  it("begins by itself when they arrive, where that is wanted", async () => {
    await using opened = await room({ automatic: true });
    const { cvIssueId } = await opened.place(sure);
    const admin = opened.host.as("admin");
    await until(async () => (await admin.get(`/api/open-library/books/${cvIssueId}`)).body.state === "matched");
  });

  it("asks for twenty ISBNs at once, and not again for what is known", async () => {
    await using opened = await room();
    const isbns = Array.from({ length: 25 }, (_, index) => isbnOf(index));
    opened.standIn.add(
      ...isbns.map((isbn, index): WorkSpec => ({
        id: `OL${100 + index}W`,
        title: `Book ${index}`,
        authors: ["OL1A"],
        editions: [{ id: `OL${100 + index}M`, isbn: [isbn] }],
      })),
    );
    for (const [index, isbn] of isbns.entries()) await opened.place({ title: `Book ${index}`, ids: { isbn } });
    await opened.lookUp();
    const searches = opened.standIn.asked.filter((path) => path.startsWith("/search.json"));
    expect(searches).toHaveLength(2);
    expect(opened.standIn.asked).toHaveLength(2 + 25 + 1);
    await opened.lookUp();
    expect(opened.standIn.asked).toHaveLength(2 + 25 + 1);
    expect((await opened.host.as("admin").get("/api/open-library/review")).body.total).toBe(0);
  });

  it("goes on after a restart in its middle, and does nothing twice", async () => {
    await using opened = await room({}, "sqlite");
    const titles = Array.from({ length: 6 }, (_, index) => `Tide ${index}`);
    opened.standIn.add(
      ...titles.map((title, index): WorkSpec => ({
        id: `OL${200 + index}W`,
        title,
        authors: ["OL1A"],
        editions: [{ id: `OL${200 + index}M`, language: ["eng"] }],
      })),
    );
    const placed: Array<{ cvIssueId: number }> = [];
    for (const title of titles) placed.push(await opened.place({ title, authors: ["Ada Quill"], language: "en" }));
    const admin = opened.host.as("admin");
    const stuck = Promise.withResolvers<void>();
    opened.standIn.until(
      () => opened.standIn.asked.length < 6,
      () => stuck.resolve(),
    );
    await admin.post("/api/open-library/sync", {});
    await stuck.promise;
    await opened.host.restart();
    opened.standIn.until(undefined);
    const state = async ({ cvIssueId }: { cvIssueId: number }) =>
      (await opened.host.as("admin").get(`/api/open-library/books/${cvIssueId}`)).body.state;
    await until(async () => (await Promise.all(placed.map(state))).every((now) => now === "matched"));
    const answered = opened.standIn.asked.filter((path) => path.startsWith("/works/"));
    expect(answered.length - new Set(answered).size).toBeLessThanOrEqual(1);
  });
});

/** A valid ISBN of 13 digits. */
function isbnOf(index: number): string {
  const stem = `978${String(100_000_000 + index)}`;
  const sum = [...stem].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return stem + String((10 - (sum % 10)) % 10);
}
