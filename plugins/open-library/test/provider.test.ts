import { describe, expect, it } from "vitest";
import { openBookRoom, type BookRoom } from "./support/book-room.ts";
import { trouble, type Answer, type WorkSpec } from "./support/stand-in.ts";

const moths: WorkSpec = {
  id: "OL4W",
  title: "Moth Patrol",
  authors: ["OL1A"],
  year: 2019,
  description: {
    type: "/type/text",
    value: "One.\r\n\r\n<script>alert(1)</script>Two & three ([source][1])\n\n----------\nAlso",
  },
  covers: [-1, null, 77],
  subjects: ["Moths", "Moths", "Night\u202e life"],
  series: [{ name: "Moths", position: "2" }],
  editions: [{ id: "OL41M", isbn: ["9780306406157", "not an isbn"], language: ["ger", "und", "xyz"] }],
};
const jpeg = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);

async function room(openLibrary: object = {}): Promise<BookRoom> {
  const opened = await openBookRoom({ openLibrary });
  opened.standIn.authors.set("OL1A", "Ann Voss");
  opened.standIn.add(moths);
  return opened;
}
const search = async (opened: BookRoom, q = "moth patrol") =>
  await opened.host.as("admin").get(`/api/open-library/search?q=${encodeURIComponent(q)}`);

describe("answers of Open Library", () => {
  it("are read in all their forms, and free of what could do harm", async () => {
    await using opened = await room();
    expect((await search(opened)).body).toEqual([
      {
        workId: "OL4W",
        title: "Moth Patrol",
        authors: ["Ann Voss"],
        year: 2019,
        languages: ["de", "xyz"],
        series: [{ name: "Moths", number: "2" }],
        image: "/api/open-library/works/OL4W/cover",
      },
    ]);
    const { cvIssueId, issueId } = await opened.place({ title: "Moth Patrol", ids: { isbn: "9780306406157" } });
    await opened.host.as("admin").post(`/api/open-library/books/${cvIssueId}/match`, { workId: "OL41M" });
    const [detail] = await opened.library.findIssueDetails([issueId]);
    expect(detail).toMatchObject({
      description: "<p>One.</p><p>alert(1)Two &amp; three</p>",
      subjects: ["Moths", "Night life"],
    });
  });

  it.each(["OL4W", "OL41M", "https://openlibrary.org/works/OL4W/Moth_Patrol", "978-0-306-40615-7"])(
    "are found by %s",
    async (q) => {
      await using opened = await room();
      expect((await search(opened, q)).body).toMatchObject([{ workId: "OL4W", title: "Moth Patrol" }]);
    },
  );

  it("lead from records that were merged to what they became, and not in circles", async () => {
    await using opened = await room();
    const { moved } = opened.standIn;
    moved.set("/works/OL5W", "/works/OL6W").set("/works/OL6W", "/works/OL4W");
    moved.set("/works/OL7W", "/works/OL8W").set("/works/OL8W", "/works/OL7W");
    moved.set("/works/OL9W", undefined).set("/works/OL10W", "https://elsewhere.example/works/OL4W");
    const { cvIssueId, issueId } = await opened.place({ title: "Moth Patrol" });
    const choose = (workId: string) =>
      opened.host.as("admin").post(`/api/open-library/books/${cvIssueId}/match`, { workId });
    expect((await choose("OL5W")).body).toMatchObject({ state: "matched", workId: "OL4W" });
    expect((await opened.library.findIds([issueId])).get(issueId)).toEqual({ openlibrary: ["OL4W", "OL5W", "OL6W"] });
    for (const id of ["OL7W", "OL9W", "OL10W", "OL404W", "nonsense"])
      expect([id, (await choose(id)).status]).toEqual([id, 404]);
  });

  it("are kept, so that nothing is asked twice, also after a restart and for those who ask at once", async () => {
    await using opened = await openBookRoom({ storage: "sqlite" });
    opened.standIn.authors.set("OL1A", "Ann Voss");
    opened.standIn.add(moths);
    const first = await Promise.all([search(opened), search(opened), search(opened)]);
    await opened.host.restart();
    expect((await search(opened)).body).toEqual(first[0]!.body);
    expect((await search(opened, "zz")).body).toEqual([]);
    expect(opened.standIn.asked).toEqual(["/search.json?limit=20&q=moth patrol"]);
  });

  it("that are long are read in a thread", async () => {
    await using opened = await room();
    const isbn = Array.from({ length: 3900 }, (_, index) => `978${String(index).padStart(10, "0")}`);
    const padding = { ...moths, editions: [...moths.editions!, { id: "OL42M", isbn }] };
    opened.standIn.add(...Array.from({ length: 15 }, (_, index) => ({ ...padding, id: `OL${100 + index}W` })));
    expect((await search(opened)).body).toHaveLength(16);
  });
});

describe("bad answers of Open Library", () => {
  it.each<[string, Answer, RegExp]>([
    ["a page instead of JSON", trouble.html(200), /not JSON/],
    ["500", trouble.html(500), /answers 500/],
    ["a connection that breaks off", trouble.hangUp, /cannot be reached/],
    ["JSON that is cut off", trouble.text('{"docs":[{"key":"/works/OL1W"'), /not JSON/],
    ["JSON without results", trouble.text('{"message":"hello"}'), /unexpected format/],
    ["JSON that is too deep", trouble.text(`{"docs":${"[".repeat(5000)}${"]".repeat(5000)}}`), /unexpected format/],
    ["an answer without an end", trouble.endless, /too large/],
    ["403 as a page", trouble.html(403), /Name a contact/],
  ])("such as %s are 502, told in its words, and seen in the health", async (_, answer, words) => {
    await using opened = await room();
    opened.standIn.always(answer);
    const failed = await search(opened);
    expect(failed).toMatchObject({ status: 502, body: { error: expect.stringMatching(words) } });
    const health = (await opened.host.as("admin").get("/api/health/checks")).body;
    expect(JSON.stringify(health)).toContain("Open Library");
    const tested = await opened.host.as("admin").post("/api/open-library/test", {});
    expect(tested).toMatchObject({ status: 200, body: { ok: false } });
  });

  it("are asked again when they are temporary, and hidden by an older answer", async () => {
    await using opened = await room({ keepDays: 1 });
    opened.standIn.next(trouble.tooMany);
    expect((await search(opened)).body).toHaveLength(1);
  });

  it("do not hold rows that are odd", async () => {
    await using opened = await room();
    const rows = [null, 7, { key: "/works/../etc" }, { key: "/works/OL1W" }, { key: "/works/OL2W", title: ["x"] }];
    opened.standIn.next(
      trouble.text(
        JSON.stringify({ docs: [...rows, { key: "/works/OL3W", title: "Kept", author_name: "Ann", isbn: 3 }] }),
      ),
    );
    expect((await search(opened)).body).toMatchObject([{ workId: "OL3W", title: "Kept", authors: [] }]);
  });
});

describe("covers", () => {
  const cover = (opened: BookRoom, id: string, role = "viewer") =>
    opened.host.as(role).get(`/api/open-library/works/${id}/cover`);

  it("are fetched once, by the server, and stand for a book that has none", async () => {
    await using opened = await room();
    opened.standIn.images.set(77, jpeg);
    for (const role of ["viewer", "admin", "viewer"]) expect((await cover(opened, "OL4W", role)).bytes).toEqual(jpeg);
    const { cvIssueId } = await opened.place({ title: "Moth Patrol", authors: ["Ann Voss"], language: "de" });
    await opened.host.as("admin").post(`/api/open-library/books/${cvIssueId}/match`, {});
    expect((await opened.host.as("viewer").get(`/api/issue/${cvIssueId}/cover`)).bytes).toEqual(jpeg);
    // Once for each audience: what others looked up must not be told by an answer.
    expect(opened.standIn.asked.filter((path) => path.startsWith("/b/"))).toHaveLength(2);
  });

  it("that are missing, or no images, are none", async () => {
    await using opened = await room();
    expect((await cover(opened, "OL4W")).status).toBe(404);
    opened.standIn.images.set(77, Buffer.from("<svg onload='alert(1)'/>"));
    expect((await cover(opened, "OL4W", "admin")).status).toBe(502);
    expect((await cover(opened, "OL999W")).status).toBe(404);
    expect((await cover(opened, "anonymous", "anonymous")).status).toBe(401);
  });
});

it("names the contact of this server, and then asks three times as often", async () => {
  await using opened = await room({ contact: "ann@example.org" });
  await search(opened);
  expect([...opened.standIn.agents]).toEqual(["Longbox/1.0 (ann@example.org)"]);
  const tested = await opened.host.as("admin").post("/api/open-library/test", { contact: "me@example.org" });
  expect(tested.body).toEqual({ ok: true, message: "Open Library answers." });
  expect([...opened.standIn.agents]).toContain("Longbox/1.0 (me@example.org)");
});
