import { describe, expect, it } from "vitest";
import { openBookRoom, until, type BookRoom } from "./support/book-room.ts";
import { trouble } from "./support/stand-in.ts";

async function room(openLibrary: object = {}): Promise<BookRoom> {
  const opened = await openBookRoom({ plugins: ["notifications", "requests"], openLibrary });
  opened.standIn.authors.set("OL1A", "Ada Quill");
  opened.standIn.add(
    {
      id: "OL1W",
      title: "Low Tides",
      authors: ["OL1A"],
      year: 2001,
      covers: [5],
      series: [{ name: "Tides", position: "1" }],
      editions: [{ id: "OL11M", isbn: ["9780306406157"], language: ["eng"] }],
    },
    { id: "OL2W", title: "High Tides", authors: ["OL1A"], year: 2004, editions: [{ id: "OL21M", language: ["eng"] }] },
  );
  return opened;
}

const ask = (opened: BookRoom, externalId: string, kind = "ebook") =>
  opened.host.as("viewer").post("/api/requests", { kind, externalId });
const stateOf = async (opened: BookRoom, id: number) =>
  (await opened.host.as("viewer").get("/api/requests")).body.requests.find((row: { id: number }) => row.id === id);
const search = async (opened: BookRoom, kind = "ebook", role = "viewer") =>
  await opened.host.as(role).get(`/api/requests/search?kind=${kind}&q=low%20tides`);

describe("a request for a book", () => {
  it("is found at Open Library, becomes wanted when it is approved, and fulfilled by the book that arrives", async () => {
    await using opened = await room();
    expect((await search(opened)).body).toEqual([
      {
        kind: "ebook",
        externalId: "OL1W",
        title: "Low Tides",
        authors: ["Ada Quill"],
        year: 2001,
        image: "/api/open-library/works/OL1W/cover",
        inLibrary: false,
      },
    ]);
    const { id } = (await ask(opened, "OL1W")).body;
    const admin = opened.host.as("admin");
    const approved = await admin.post(`/api/requests/${id}/approve`, {});
    expect(approved.body).toMatchObject({ state: "approved" });
    expect((await admin.get("/api/wanted")).body).toMatchObject([
      { title: "Low Tides", series: "Ada Quill", why: "request", label: { full: "Low Tides" } },
    ]);
    // A file without any id, in another folder: its ISBN leads to the work.
    const book = await opened.place({ title: "Low tides: a novel", series: "Tides", ids: { isbn: "9780306406157" } });
    expect(await stateOf(opened, id)).toMatchObject({ state: "approved" });
    await opened.lookUp();
    await until(async () => (await stateOf(opened, id)).state === "fulfilled");
    expect(await stateOf(opened, id)).toMatchObject({ seriesId: book.seriesId });
    expect((await admin.get("/api/wanted")).body).toEqual([]);
    expect((await search(opened)).body).toMatchObject([{ inLibrary: true, seriesId: book.seriesId }]);
    expect(await ask(opened, "OL1W")).toMatchObject({ status: 409, body: { seriesId: book.seriesId } });
  });

  it("is fulfilled before a decision when the book comes, and by a person's choice where that is unsure", async () => {
    await using opened = await room({ automatic: true });
    const [low, high] = [(await ask(opened, "OL1W")).body.id, (await ask(opened, "OL2W")).body.id];
    await opened.place({ title: "Low Tides", authors: ["Ada Quill"], language: "en" });
    await until(async () => (await stateOf(opened, low)).state === "fulfilled");
    const unsure = await opened.place({ title: "High Tides" });
    const book = `/api/open-library/books/${unsure.cvIssueId}`;
    await until(async () => (await opened.host.as("admin").get(book)).body.state === "review");
    expect((await stateOf(opened, high)).state).toBe("pending");
    await opened.host.as("admin").post(`${book}/match`, { workId: "OL2W" });
    await until(async () => (await stateOf(opened, high)).state === "fulfilled");
  });

  it("is not fulfilled by the audiobook of the same work, nor the reverse", async () => {
    await using opened = await room();
    const [text, sound] = [(await ask(opened, "OL1W")).body.id, (await ask(opened, "OL1W", "audiobook")).body.id];
    expect(text).not.toBe(sound);
    await opened.place({ title: "Low Tides", type: "audiobook", ids: { openlibrary: "OL1W" } });
    await until(async () => (await stateOf(opened, sound)).state === "fulfilled");
    expect((await stateOf(opened, text)).state).toBe("pending");
    expect((await search(opened, "audiobook")).body).toMatchObject([{ inLibrary: true }]);
    expect((await search(opened)).body).toMatchObject([{ inLibrary: false, requestId: text }]);
  });

  it("says nothing of a book that is hidden, neither in a search nor in a decision", async () => {
    await using opened = await room();
    const { seriesId } = await opened.place({ title: "Low Tides", ids: { openlibrary: "OL1W" } });
    const admin = opened.host.as("admin");
    await admin.post(`/api/collection/${seriesId}/restricted`, { restricted: true });
    await admin.post("/api/roles", {
      name: "desk",
      label: "Desk",
      permissions: ["library.view", "requests.create", "requests.manage", "downloads.grab"],
    });
    expect((await search(opened, "ebook", "admin")).body).toMatchObject([{ inLibrary: true, seriesId }]);
    const [found] = (await search(opened)).body;
    expect(found).toMatchObject({ inLibrary: false });
    expect(found.seriesId).toBeUndefined();
    const asked = await ask(opened, "OL1W");
    expect(asked).toMatchObject({ status: 200, body: { state: "pending" } });
    const approved = await opened.host.as("desk").post(`/api/requests/${asked.body.id}/approve`, {});
    expect(approved).toMatchObject({ status: 404, body: { code: "collection/work-not-found" } });
    expect(JSON.stringify(approved.body)).not.toContain("Low Tides");
    expect((await stateOf(opened, asked.body.id)).state).toBe("pending");
  });

  it("for what is not there is refused, and a source that fails leaves it undecided", async () => {
    await using opened = await room();
    for (const id of ["OL404W", "OL11M", "../admin", "OL1W/../x"])
      expect([id, (await ask(opened, id)).status]).toEqual([id, 404]);
    const { id } = (await ask(opened, "OL1W")).body;
    opened.standIn.always(trouble.html(403));
    opened.standIn.works.clear();
    const admin = opened.host.as("admin");
    expect((await admin.post(`/api/requests/${id}/approve`, {})).status).toBe(502);
    expect((await stateOf(opened, id)).state).toBe("pending");
    await opened.host.disable("open-library");
    expect((await search(opened)).status).toBe(503);
    expect((await stateOf(opened, id)).state).toBe("pending");
  });
});
