import { systemViewer, type Viewer } from "@longbox/sdk";
import { Catalog, Works } from "@longbox/collection/contract";
import { describe, expect, it } from "vitest";
import { openShelf } from "./support/shelf.js";

const narrow: Viewer = { ...systemViewer, seesRestricted: false };

describe("ids of others", () => {
  it("are kept by scheme, find issues in one question, and stand in the single read", async () => {
    await using shelf = await openShelf();
    const [one, two] = await shelf.place(
      {
        number: "1",
        ofIssue: { ids: { isbn: "9780306406157", openlibrary: "OL1M" } },
        ofSeries: { ids: { mu: "77" } },
      },
      { number: "2", ofIssue: { ids: { isbn: "9780306406164", "not a scheme!": "1" } } },
    );
    const asked = ["9780306406164", "9780306406157", "9780000000000"];
    const found = await shelf.library.findIssuesByIds("isbn", asked, systemViewer);
    expect(found.map(({ value, issue }) => [value, issue.id])).toEqual([
      ["9780306406157", one?.issueId],
      ["9780306406164", two?.issueId],
    ]);
    const { body } = await shelf.host.as("viewer").get(`/api/issue/-${one?.issueId}`);
    expect(body.ids).toEqual({ isbn: ["9780306406157"], openlibrary: ["OL1M"] });
    expect(await shelf.library.findIds([two!.issueId])).toEqual(new Map([[two?.issueId, { isbn: ["9780306406164"] }]]));
    await shelf.host.as("admin").post(`/api/collection/${one?.seriesId}/restricted`, { restricted: true });
    expect(await shelf.library.findIssuesByIds("isbn", asked, narrow)).toEqual([]);
  });
});

describe("ids of known schemes", () => {
  it("are one id however they are written, and nothing where the check digit is wrong", async () => {
    await using shelf = await openShelf();
    const ids = { isbn: "0-306-40615-2", asin: "b00abcdef1", openlibrary: "https://openlibrary.org/books/OL7M/Moth" };
    const wrong = { isbn: "0306406153", asin: "moth", openlibrary: "OL7X", cv: "12", mu: " 77 " };
    const [one, two] = await shelf.place({ number: "1", ofIssue: { ids } }, { number: "2", ofIssue: { ids: wrong } });
    expect(await shelf.library.findIds([one!.issueId, two!.issueId])).toEqual(
      new Map([
        [one?.issueId, { isbn: ["9780306406157"], asin: ["B00ABCDEF1"], openlibrary: ["OL7M"] }],
        [two?.issueId, { mu: ["77"] }],
      ]),
    );
    const find = async (scheme: string, ...values: string[]) =>
      (await shelf.library.findIssuesByIds(scheme, values, systemViewer)).map(({ value, issue }) => [value, issue.id]);
    expect(await find("isbn", "0306406152", "urn:isbn:978-0-306-40615-7", "978-0-306-40615-8")).toEqual([
      ["0306406152", one?.issueId],
      ["urn:isbn:978-0-306-40615-7", one?.issueId],
    ]);
    expect(await find("openlibrary", "ol7m", "/books/OL7M")).toEqual([
      ["ol7m", one?.issueId],
      ["/books/OL7M", one?.issueId],
    ]);
    expect(await find("asin", "B00ABCDEF1")).toEqual([["B00ABCDEF1", one?.issueId]]);
  });

  it("are stored once when a second file of the issue writes them in another way", async () => {
    await using shelf = await openShelf();
    const [first] = await shelf.place({ number: "1", ofIssue: { ids: { isbn: "0-8044-2957-X" } } });
    await shelf.place({ number: "1", path: `${shelf.root}/b.cbz`, ofIssue: { ids: { isbn: "9780804429573" } } });
    expect(await shelf.library.findIds([first!.issueId])).toEqual(
      new Map([[first?.issueId, { isbn: ["9780804429573"] }]]),
    );
  });
});

describe("works without numbers", () => {
  it("are told from each other by their titles, and two formats of one are one", async () => {
    await using shelf = await openShelf();
    const folder = `${shelf.root}/comics/Ada Quill`;
    const book = (title: string, extension: string) => ({
      series: "Ada Quill",
      number: "",
      folder,
      path: `${folder}/${title}.${extension}`,
      ofIssue: { title },
      change: { format: extension, pages: 0 },
    });
    const placed = await shelf.place(
      book("The Salt Road", "epub"),
      book("The Salt Road", "txt"),
      book("Low Tides", "epub"),
    );
    const [epub, text, other] = placed.map(({ issueId }) => issueId);
    expect(epub).toBe(text);
    expect(other).not.toBe(epub);
    expect((await shelf.library.listHoldings(epub!)).map(({ format }) => format).sort()).toEqual(["epub", "txt"]);
  });

  it("say how long they play", async () => {
    await using shelf = await openShelf();
    const [placed] = await shelf.place({ number: "1", change: { pages: 0, seconds: 5400.5, format: "m4b" } });
    const [issue] = await shelf.library.findIssues([placed!.issueId], systemViewer);
    expect(issue).toMatchObject({ pages: 0, seconds: 5400.5 });
  });
});

describe("what others hear and iterate over", () => {
  it("tells once which issues came into the library", async () => {
    await using shelf = await openShelf();
    const heard: number[] = [];
    const listening = shelf.library.onIssuesOwned((ids) => void heard.push(...ids));
    const placed = await shelf.place({ number: "1" }, { number: "2" });
    await shelf.place({ number: "1" }, { number: "2" });
    const [third] = await shelf.place({ number: "3" });
    expect(heard.sort((one, other) => one - other)).toEqual([...placed, third!].map(({ issueId }) => issueId));
    await listening.release();
  });

  it("goes through every issue by its id with all that is known of it, hidden ones left out", async () => {
    await using shelf = await openShelf();
    const tags = { credits: [{ name: "Ada Quill", role: "writer" }], subjects: ["Sea"], language: "de" };
    const placed = await shelf.place(
      { number: "1", ofIssue: tags },
      { number: "2" },
      { series: "Hidden", number: "1" },
    );
    await shelf.host.as("admin").post(`/api/collection/${placed[2]?.seriesId}/restricted`, { restricted: true });
    const seen = [];
    for (let afterId = 0; ;) {
      const part = await shelf.library.listIssuesAfter({ afterId, limit: 1 }, narrow);
      if (part.length === 0) break;
      seen.push(...part);
      afterId = part[0]!.issue.id;
    }
    expect(seen.map(({ issue }) => issue.id)).toEqual([placed[0]?.issueId, placed[1]?.issueId]);
    expect(seen[0]).toMatchObject({
      issue: { language: "de" },
      detail: { credits: [{ name: "Ada Quill", role: "writer" }], subjects: ["Sea"] },
    });
    expect(await shelf.library.listIssuesAfter({ afterId: 0, limit: 10 }, systemViewer)).toHaveLength(3);
  });

  it("lists what is wanted, with the reason, to those who may know of it", async () => {
    await using shelf = await openShelf();
    const volume = {
      cvId: 4711,
      title: "Night Bell",
      aliases: ["Nachtglocke"],
      status: "ongoing" as const,
      issues: [901, 902].map((cvIssueId, index) => ({
        cvIssueId,
        number: String(index + 1),
        storeDate: `2026-0${index + 1}-04`,
      })),
    };
    const request = {
      viewer: systemViewer,
      cvIssueIds: [902],
      why: "request" as const,
      reason: "Bo asked",
      only: true,
    };
    const { seriesId } = await shelf.host.use(Catalog).addVolume(volume, request);
    const wanted = await shelf.library.listWanted({ afterId: 0, limit: 10 }, narrow);
    expect(wanted).toMatchObject([
      { issue: { cvIssueId: 902, owned: false }, why: "request", reason: "Bo asked", storeDate: "2026-02-04" },
    ]);
    expect(await shelf.library.listWanted({ afterId: wanted[0]!.issue.id, limit: 10 }, narrow)).toEqual([]);
    const among = [wanted[0]!.issue.id, 999_999];
    expect(await shelf.library.listWanted({ afterId: 0, limit: 10, among }, narrow)).toEqual(wanted);
    expect(await shelf.library.listWanted({ afterId: 0, limit: 10, among: [999_999] }, narrow)).toEqual([]);
    expect(await shelf.library.findSeries(seriesId, narrow)).toMatchObject({
      monitor: "none",
      aliases: ["Nachtglocke"],
    });
    await shelf.host.as("admin").post(`/api/collection/${seriesId}/restricted`, { restricted: true });
    expect(await shelf.library.listWanted({ afterId: 0, limit: 10 }, narrow)).toEqual([]);
  });
});

describe("works", () => {
  async function bookAndAudiobook() {
    const shelf = await openShelf();
    const credits = [{ name: "Ada Quill", role: "author" }];
    const [book, audio, stranger] = await shelf.place(
      {
        series: "The Salt Road",
        number: "",
        folder: `${shelf.root}/comics/a`,
        ofIssue: { title: "The Salt Road", credits },
      },
      {
        series: "Salt Road, The",
        number: "",
        folder: `${shelf.root}/comics/b`,
        ofIssue: { title: "The Salt Road", credits },
      },
      { series: "Other", number: "", folder: `${shelf.root}/comics/c`, ofIssue: { title: "The Salt Road" } },
    );
    await shelf.host.as("admin").post(`/api/collection/${audio?.seriesId}/type`, { type: "manga" });
    await shelf.host.as("admin").post(`/api/collection/${stranger?.seriesId}/type`, { type: "manga" });
    return { shelf, works: shelf.host.use(Works), book: book!.issueId, audio: audio!.issueId, series: audio!.seriesId };
  }

  it("proposes issues of other types with the same title and author, and links them both ways", async () => {
    const { shelf, works, book, audio, series } = await bookAndAudiobook();
    await using _ = shelf;
    const proposed = await works.propose(book, systemViewer);
    expect(proposed).toEqual([{ issueId: audio, reason: "Title and author are the same." }]);
    await works.link([book, audio], systemViewer);
    expect([await works.findOthers(book, narrow), await works.findOthers(audio, narrow)]).toEqual([[audio], [book]]);
    expect(await works.propose(book, systemViewer)).toEqual([]);
    await shelf.host.as("admin").post(`/api/collection/${series}/restricted`, { restricted: true });
    expect(await works.findOthers(book, narrow)).toEqual([]);
  });

  it("does not propose again what was taken apart", async () => {
    const { shelf, works, book, audio } = await bookAndAudiobook();
    await using _ = shelf;
    await works.link([book, audio], systemViewer);
    await works.unlink(audio, systemViewer);
    expect(await works.findOthers(book, systemViewer)).toEqual([]);
    expect(await works.propose(book, systemViewer)).toEqual([]);
  });

  it("are two when one took over an issue that gave another its number", async () => {
    const { shelf, works, book, audio } = await bookAndAudiobook();
    await using _ = shelf;
    const [third, fourth] = await shelf.place({ series: "Third", number: "1" }, { series: "Fourth", number: "1" });
    await works.link([book, audio, third!.issueId], systemViewer);
    await works.unlink(book, systemViewer);
    await works.link([book, fourth!.issueId], systemViewer);
    expect(await works.findOthers(book, systemViewer)).toEqual([fourth?.issueId]);
    expect(await works.findOthers(audio, systemViewer)).toEqual([third?.issueId]);
  });

  it("become one when issues of both become one, and refusals follow the issue", async () => {
    const { shelf, works, book, audio } = await bookAndAudiobook();
    await using _ = shelf;
    const [mine, other, tape, text] = await shelf.place(
      { series: "Moth", number: "1" },
      { series: "Moth Patrol", number: "1", folder: `${shelf.root}/comics/other` },
      { series: "Tape", number: "1" },
      { series: "Text", number: "1" },
    );
    await works.link([mine!.issueId, tape!.issueId], systemViewer);
    await works.link([other!.issueId, text!.issueId], systemViewer);
    await works.link([mine!.issueId, book, audio], systemViewer);
    await works.unlink(book, systemViewer);
    const catalog = shelf.host.use(Catalog);
    const volume = {
      cvId: 77,
      title: "Moth",
      aliases: [],
      status: "ended" as const,
      issues: [{ cvIssueId: 771, number: "1" }],
    };
    await catalog.matchSeries(other!.seriesId, volume, systemViewer);
    await catalog.matchSeries(mine!.seriesId, volume, systemViewer);
    const linked = [audio, tape!.issueId, text!.issueId].toSorted((left, right) => left - right);
    expect(await works.findOthers(other!.issueId, systemViewer)).toEqual(linked);
    expect(await works.findOthers(mine!.issueId, systemViewer)).toEqual([]);
    expect((await works.propose(book, systemViewer)).map(({ issueId }) => issueId)).not.toContain(audio);
  });

  it("names no issue that the viewer may not know of when it links", async () => {
    const { shelf, works, book, audio, series } = await bookAndAudiobook();
    await using _ = shelf;
    await works.link([book, audio], systemViewer);
    await shelf.host.as("admin").post(`/api/collection/${series}/restricted`, { restricted: true });
    expect((await works.link([book], narrow)).issueIds).toEqual([book]);
  });

  it("refuses links by those who may not manage the library, and of issues that are not there", async () => {
    const { shelf, works, book, audio } = await bookAndAudiobook();
    await using _ = shelf;
    const stranger: Viewer = { ...systemViewer, may: () => false };
    await expect(works.link([book, audio], stranger)).rejects.toMatchObject({ kind: "forbidden" });
    await expect(works.link([book, 999_999], systemViewer)).rejects.toMatchObject({ kind: "not-found" });
  });
});
