import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openKomgaDesk, KomgaApp, type KomgaDesk } from "./support/komga-desk.js";
import * as required from "./support/required-fields.js";

let desk: KomgaDesk;
let mihon: KomgaApp;
beforeAll(async () => {
  desk = await openKomgaDesk();
  mihon = desk.app("viewer");
});
afterAll(() => desk[Symbol.asyncDispose]());

const names = async (query: string) =>
  (await mihon.get(`/v1/series?page=0&deleted=false${query}`)).body.content.map(({ name }: { name: string }) => name);
const booksOf = async (title: string, app = mihon) =>
  (await app.get(`/v1/series/${await desk.seriesOf(title)}/books?unpaged=true&media_status=READY&deleted=false`)).body
    .content as any[];

describe("signing in", () => {
  it("takes an API key, and Basic with the password or the API key after a challenge", async () => {
    expect((await mihon.get("/v2/users/me")).body).toMatchObject({
      email: "viewer",
      roles: ["USER", "FILE_DOWNLOAD", "PAGE_STREAMING"],
    });
    const anonymous = await new KomgaApp(desk.host.url, {}).get("/v1/libraries");
    expect([anonymous.status, anonymous.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringMatching(/^Basic realm=/),
    ]);
    const basic = (password: string) =>
      new KomgaApp(desk.host.url, { authorization: `Basic ${btoa(`viewer:${password}`)}` }).get("/v1/libraries");
    expect((await basic(desk.host.as("viewer").key as string)).status).toBe(200);
    expect((await basic("wrong")).status).toBe(401);
  });
});

describe("documents", () => {
  it("have every field that apps require, none of them null", async () => {
    const [{ id }] = await booksOf("Moth Patrol");
    await mihon.patch(`/v1/books/${id}/read-progress`, { page: 2, completed: false });
    const problems = async (path: string, shape: Parameters<typeof required.problemsOf>[1]) =>
      required.problemsOf((await mihon.get(path)).body, shape);
    const found = [
      await problems("/v1/series?page=0&deleted=false", required.pageOf(required.series)),
      await problems(`/v1/series/${await desk.seriesOf("Moth Patrol")}`, required.series),
      await problems(
        `/v1/series/${await desk.seriesOf("Moth Patrol")}/books?unpaged=true`,
        required.pageOf(required.book),
      ),
      await problems("/v1/books?page=0", required.pageOf(required.book)),
      await problems(`/v1/books/${id}`, { ...required.book, readProgress: required.readProgress }),
      await problems(`/v1/books/${id}/pages`, [required.page]),
      await problems("/v1/readlists?page=0", required.pageOf(required.readList)),
      await problems("/v1/collections?unpaged=true", required.pageOf(required.readList)),
      await problems("/v1/libraries", [{ id: "string", name: "string", root: "string", unavailable: "boolean" }]),
      await problems("/v1/authors", [{ name: "string", role: "string" }]),
    ];
    expect(found).toEqual(found.map(() => []));
    await mihon.call("DELETE", `/v1/books/${id}/read-progress`);
  });

  it("say what the library knows", async () => {
    const [first, , , annual] = await booksOf("Moth Patrol");
    expect(first).toMatchObject({
      name: "Moth Patrol 001 (2019)",
      number: 1,
      media: { status: "READY", mediaType: "application/zip", mediaProfile: "DIVINA", pagesCount: 5 },
      metadata: {
        number: "1",
        numberSort: 1,
        releaseDate: "2019-03-01",
        authors: [{ name: "Ada Quill", role: "writer" }],
        summary: "What happens in Moth Patrol 1.",
      },
    });
    expect([annual.number, annual.metadata.numberSort]).toEqual([4, 3.01]);
    const { body } = await mihon.get(`/v1/series/${await desk.seriesOf("Paper Tigers")}`);
    expect(body).toMatchObject({
      booksCount: 2,
      metadata: { readingDirection: "RIGHT_TO_LEFT", publisher: "Lamplight", genres: ["Drama"], language: "en" },
      booksMetadata: { authors: [{ name: "Ben Oar", role: "writer" }] },
    });
  });
});

describe("lists of series", () => {
  it("are filtered as Mihon asks", async () => {
    const [comics, manga] = [await desk.libraryOf("Comics"), await desk.libraryOf("Manga")];
    expect(await names("&sort=metadata.titleSort,asc")).toEqual(["Moth Patrol", "The Night Bell", "Paper Tigers"]);
    expect(await names("&sort=metadata.titleSort,desc")).toEqual(["Paper Tigers", "The Night Bell", "Moth Patrol"]);
    expect(await names(`&library_id=${comics}`)).toEqual(["Moth Patrol", "The Night Bell"]);
    expect(await names(`&library_id=${comics},${manga}`)).toHaveLength(3);
    expect(await names("&search=night%20bell&sort=relevance,desc")).toEqual(["The Night Bell"]);
    expect(await names("&publisher=Lamplight")).toEqual(["Moth Patrol", "Paper Tigers"]);
    expect(await names("&publisher=Tern%2C%20Gull%20%26%20Co")).toEqual(["The Night Bell"]);
    expect(await names("&genre=drama,mystery")).toHaveLength(3);
    expect(await names("&genre=drama")).toEqual(["Paper Tigers"]);
    expect(await names("&author=Ada%20Quill%2Cwriter")).toEqual(["Moth Patrol"]);
    expect(await names("&author=Ada%20Quill%2Ceditor")).toEqual([]);
    expect(await names("&tag=low%20tides")).toEqual(["Moth Patrol"]);
    expect(await names("&status=ABANDONED")).toEqual([]);
    expect(await names("&status=ONGOING,ENDED,ABANDONED,HIATUS&genre=&tag=")).toHaveLength(3);
    expect(await names("&sort=random,asc")).toHaveLength(3);
    expect((await mihon.get("/v1/series?read_status=NEVER")).status).toBe(400);
  });

  it("come page by page", async () => {
    const { body } = await mihon.get("/v1/series?page=1&size=2&sort=metadata.titleSort,asc");
    expect(body).toMatchObject({ totalElements: 3, totalPages: 2, number: 1, size: 2, first: false, last: true });
    expect(body.content.map(({ name }: { name: string }) => name)).toEqual(["Paper Tigers"]);
    expect((await mihon.get("/v1/series?page=9")).body).toMatchObject({ empty: true, content: [] });
  });

  it("offer what to filter by", async () => {
    const lists = ["genres", "publishers", "languages", "tags", "authors", "libraries"];
    const answers = await Promise.all(lists.map(async (list) => (await mihon.get(`/v1/${list}`)).body));
    expect(answers).toMatchObject([
      ["Adventure", "Drama", "Mystery"],
      ["Lamplight", "Tern, Gull & Co"],
      ["en"],
      ["High Tides", "Low Tides"],
      [
        { name: "Ada Quill", role: "writer" },
        { name: "Ben Oar", role: "writer" },
      ],
      [{ name: "Comics" }, { name: "Manga" }],
    ]);
  });
});

describe("pages and files", () => {
  it("are sent as apps ask for them", async () => {
    const [{ id }] = await booksOf("Moth Patrol");
    const pages = (await mihon.get(`/v1/books/${id}/pages`)).body;
    expect([pages.length, pages[0].number, pages[4].number]).toEqual([5, 1, 5]);
    const first = await mihon.get(`/v1/books/${id}/pages/1`);
    expect([first.status, first.headers.get("content-type"), first.body.length]).toEqual([
      200,
      "image/jpeg",
      pages[0].sizeBytes,
    ]);
    expect((await mihon.get(`/v1/books/${id}/pages/0?zero_based=true`)).body).toEqual(first.body);
    const missing = await Promise.all(["0", "6"].map((page) => mihon.get(`/v1/books/${id}/pages/${page}?convert=png`)));
    expect(missing.map(({ status }) => status)).toEqual([404, 404]);
    const covers = [`/v1/books/${id}/thumbnail`, `/v1/series/${await desk.seriesOf("Moth Patrol")}/thumbnail`];
    for (const path of [...covers, `/v1/books/${id}/pages/2/thumbnail`])
      expect((await mihon.get(path)).headers.get("content-type")).toBe("image/jpeg");
    const file = await mihon.get(`/v1/books/${id}/file`);
    expect(file.headers.get("content-disposition")).toContain("Moth Patrol 001 (2019).cbz");
    expect(Buffer.from(file.body.subarray(0, 2)).toString()).toBe("PK");
  });

  it("do not count as read by being fetched", async () => {
    const [{ id }] = await booksOf("The Night Bell");
    await mihon.get(`/v1/books/${id}/pages/5`);
    expect((await mihon.get(`/v1/books/${id}`)).body.readProgress).toBeUndefined();
  });
});

describe("progress", () => {
  const progressOf = async (id: string) => (await mihon.get(`/v1/books/${id}`)).body.readProgress;

  it("is reported, marked and removed", async () => {
    const [{ id }] = await booksOf("The Night Bell");
    const path = `/v1/books/${id}/read-progress`;
    expect((await mihon.patch(path, { page: 3, completed: false })).status).toBe(204);
    expect(await progressOf(id)).toMatchObject({ page: 3, completed: false, deviceName: "Komga app (Mihon)" });
    await mihon.patch(path, { page: 2 });
    expect(await progressOf(id)).toMatchObject({ page: 2, completed: false });
    await mihon.patch(path, { page: 5 });
    expect(await progressOf(id)).toMatchObject({ page: 5, completed: true });
    expect((await mihon.call("DELETE", path)).status).toBe(204);
    expect(await progressOf(id)).toBeUndefined();
    await mihon.patch(path, { completed: true });
    expect(await progressOf(id)).toMatchObject({ page: 5, completed: true });
    expect((await mihon.patch(path, { completed: false })).status).toBe(400);
    expect((await mihon.patch(path, { page: 0 })).status).toBe(400);
    await mihon.call("DELETE", path);
  });

  it("filters series and books", async () => {
    const [first, second] = await booksOf("The Night Bell");
    await mihon.patch(`/v1/books/${first.id}/read-progress`, { completed: true });
    await mihon.patch(`/v1/books/${second.id}/read-progress`, { page: 2, completed: false });
    expect(await names("&read_status=UNREAD")).toEqual(["Moth Patrol", "Paper Tigers"]);
    expect(await names("&read_status=IN_PROGRESS")).toEqual(["The Night Bell"]);
    expect(await names("&read_status=UNREAD&read_status=IN_PROGRESS")).toHaveLength(3);
    const reading = await mihon.get("/v1/books?read_status=IN_PROGRESS&sort=readProgress.readDate,desc");
    expect(reading.body.content.map(({ id }: { id: string }) => id)).toEqual([second.id]);
    const id = await desk.seriesOf("The Night Bell");
    expect((await mihon.get(`/v1/series/${id}/books?read_status=READ`)).body.totalElements).toBe(1);
    expect((await mihon.get(`/v1/series/${id}`)).body).toMatchObject({
      booksReadCount: 1,
      booksInProgressCount: 1,
      booksUnreadCount: 0,
    });
    await mihon.call("POST", `/v1/series/${id}/read-progress`);
    expect(await names("&read_status=READ")).toEqual(["The Night Bell"]);
    await mihon.call("DELETE", `/v1/series/${id}/read-progress`);
    expect(await names("&read_status=UNREAD")).toHaveLength(3);
  });

  it("goes both ways with Mihon's tracker, which never marks anything as unread", async () => {
    const id = await desk.seriesOf("Moth Patrol");
    const path = `/v2/series/${id}/read-progress/tachiyomi`;
    const nothing = { booksCount: 4, booksReadCount: 0, booksUnreadCount: 4, booksInProgressCount: 0 };
    expect((await mihon.get(path)).body).toEqual({
      ...nothing,
      lastReadContinuousNumberSort: 0,
      maxNumberSort: 3.01,
    });
    expect((await mihon.put(path, { lastBookNumberSortRead: 2 })).status).toBe(204);
    await mihon.put(path, { lastBookNumberSortRead: 1 });
    expect((await mihon.get(path)).body).toMatchObject({ booksReadCount: 2, lastReadContinuousNumberSort: 2 });
    const counting = `/v1/series/${id}/read-progress/tachiyomi`;
    await mihon.put(counting, { lastBookRead: 3 });
    expect((await mihon.get(counting)).body).toMatchObject({ booksReadCount: 3, lastReadContinuousIndex: 3 });
    const ondeck = (await mihon.get("/v1/books/ondeck")).body.content;
    expect(ondeck.map(({ metadata }: any) => metadata.numberSort)).toEqual([3.01]);
    await mihon.call("DELETE", `/v1/series/${id}/read-progress`);
  });
});

describe("read lists", () => {
  it("are those of the viewer, with books, a cover and a tracker", async () => {
    const viewer = desk.host.as("viewer");
    const [moth, bell] = [await booksOf("Moth Patrol"), await booksOf("The Night Bell")];
    const { id } = (await viewer.post("/api/lists", { name: "Spring" })).body;
    const items = [bell[1], moth[0]].map((book) => ({ cvIssueId: -Number(book.id) }));
    for (const item of items) await viewer.post(`/api/lists/${id}/items`, item);
    const { content } = (await mihon.get("/v1/readlists?page=0&search=spr")).body;
    expect(content).toMatchObject([
      { id: String(id), name: "Spring", ordered: true, bookIds: [bell[1].id, moth[0].id] },
    ]);
    const books = (await mihon.get(`/v1/readlists/${id}/books?unpaged=true`)).body.content;
    expect(books.map((book: { id: string }) => book.id)).toEqual([bell[1].id, moth[0].id]);
    expect((await mihon.get(`/v1/readlists/${id}/thumbnail`)).headers.get("content-type")).toBe("image/jpeg");
    const tracker = `/v1/readlists/${id}/read-progress/tachiyomi`;
    await mihon.put(tracker, { lastBookRead: 1 });
    expect((await mihon.get(tracker)).body).toMatchObject({ booksCount: 2, lastReadContinuousIndex: 1 });
    expect((await desk.app("trusted").get(`/v1/readlists/${id}`)).status).toBe(404);
    await mihon.call("DELETE", `/v1/books/${bell[1].id}/read-progress`);
  });
});

describe("what is restricted", () => {
  it("does not exist on any route", async () => {
    const [admin, id] = [desk.host.as("admin"), await desk.seriesOf("Paper Tigers")];
    const [book] = await booksOf("Paper Tigers", desk.app("admin"));
    await admin.post(`/api/collection/${id}/restricted`, { restricted: true });
    const hidden = [
      `/v1/series/${id}`,
      `/v1/series/${id}/books`,
      `/v1/series/${id}/thumbnail`,
      `/v2/series/${id}/read-progress/tachiyomi`,
      `/v1/books/${book.id}`,
      `/v1/books/${book.id}/pages`,
      `/v1/books/${book.id}/pages/1`,
      `/v1/books/${book.id}/thumbnail`,
      `/v1/books/${book.id}/next`,
      `/v1/books/${book.id}/file`,
    ];
    const answers = await Promise.all(hidden.map((path) => mihon.get(path)));
    expect(answers.map(({ status }) => status)).toEqual(hidden.map(() => 404));
    expect((await mihon.patch(`/v1/books/${book.id}/read-progress`, { page: 1 })).status).toBe(404);
    expect((await mihon.call("POST", `/v1/series/${id}/read-progress`)).status).toBe(404);
    expect(await names("")).toEqual(["Moth Patrol", "The Night Bell"]);
    const texts = await Promise.all(
      ["/v1/genres", "/v1/books?unpaged=true", "/v1/series/new"].map(async (path) => (await mihon.get(path)).body),
    );
    expect(JSON.stringify(texts)).not.toMatch(/Drama|Paper Tigers/);
    expect((await desk.app("admin").get(`/v1/series/${id}`)).status).toBe(200);
    await admin.post(`/api/collection/${id}/restricted`, { restricted: false });
    // Large libraries are not read again for every change.
    await expect.poll(() => names(""), { timeout: 10_000 }).toHaveLength(3);
    // A collection that is still used for a while hides at once what is restricted meanwhile.
    await admin.post(`/api/collection/${id}/restricted`, { restricted: true });
    expect(await names("")).toEqual(["Moth Patrol", "The Night Bell"]);
    await admin.post(`/api/collection/${id}/restricted`, { restricted: false });
  });
});

describe("a search by conditions", () => {
  const list = async (what: "series" | "books", condition?: unknown, query = "") =>
    await mihon.call("POST", `/v1/${what}/list?size=50&sort=metadata.titleSort,asc${query}`, { body: { condition } });
  const series = async (condition?: unknown) =>
    (await list("series", condition)).body.content.map(({ name }: { name: string }) => name);
  const books = async (condition?: unknown) =>
    (await list("books", condition)).body.content.map(
      ({ seriesTitle, metadata }: any) => `${seriesTitle} ${metadata.number}`,
    );

  it("has documents with every required field", async () => {
    const found = [
      required.problemsOf((await list("series")).body, required.pageOf(required.series)),
      required.problemsOf((await list("books")).body, required.pageOf(required.book)),
    ];
    expect(found).toEqual([[], []]);
  });

  it("finds series by every field that the library knows", async () => {
    const all = ["Moth Patrol", "The Night Bell", "Paper Tigers"];
    const manga = String(await desk.libraryOf("Manga"));
    const is = (value: unknown) => ({ operator: "is", value });
    expect(await series()).toEqual(all);
    expect(await series({ libraryId: is(manga) })).toEqual(["Paper Tigers"]);
    expect(await series({ libraryId: { operator: "isNot", value: manga } })).toEqual(all.slice(0, 2));
    expect(await series({ title: { operator: "beginsWith", value: "moth" } })).toEqual(["Moth Patrol"]);
    expect(await series({ title: { operator: "doesNotContain", value: "ig" } })).toEqual(["Moth Patrol"]);
    expect(await series({ genre: is("mystery") })).toEqual(all.slice(0, 2));
    expect(await series({ publisher: is("Tern, Gull & Co") })).toEqual(["The Night Bell"]);
    expect(await series({ author: is({ name: "Ada Quill", role: "writer" }) })).toEqual(["Moth Patrol"]);
    expect(await series({ sharingLabel: { operator: "isNull" } })).toEqual(all);
    expect(await series({ releaseDate: { operator: "before", dateTime: "2019-01-01T00:00:00Z" } })).toEqual([]);
    expect(await series({ releaseDate: { operator: "isNotInTheLast", duration: "P30D" } })).toEqual(all);
    const mixed = {
      anyOf: [{ allOf: [{ genre: is("Mystery") }, { tag: is("Low Tides") }] }, { libraryId: is(manga) }],
    };
    expect(await series(mixed)).toEqual(["Moth Patrol", "Paper Tigers"]);
    expect(
      await series({ allOf: [{ deleted: { operator: "isFalse" } }, { oneShot: { operator: "isTrue" } }] }),
    ).toEqual([]);
  });

  it("finds books by their own fields and by reading states", async () => {
    const moth = String(await desk.seriesOf("Moth Patrol"));
    const [first] = await booksOf("Moth Patrol");
    await mihon.patch(`/v1/books/${first.id}/read-progress`, { page: 2, completed: false });
    try {
      const ofMoth = { seriesId: { operator: "is", value: moth } };
      const begun = { readStatus: { operator: "is", value: "IN_PROGRESS" } };
      expect(await books({ allOf: [ofMoth] })).toHaveLength(4);
      expect(await books(begun)).toEqual(["Moth Patrol 1"]);
      expect(await series(begun)).toEqual(["Moth Patrol"]);
      expect(await books({ allOf: [ofMoth, { numberSort: { operator: "greaterThan", value: 1.5 } }] })).toEqual([
        "Moth Patrol 2",
        "Moth Patrol 3",
      ]);
      expect(await books({ author: { operator: "is", value: { name: "Ben Oar" } } })).toHaveLength(4);
      expect(await books({ allOf: [ofMoth, { mediaStatus: { operator: "isNot", value: "READY" } }] })).toEqual([]);
      expect(await books({ readListId: { operator: "is", value: "7" } })).toEqual([]);
    } finally {
      await mihon.call("DELETE", `/v1/books/${first.id}/read-progress`);
    }
  });

  it("refuses what is no condition, naming it", async () => {
    const nested = (depth: number): unknown =>
      depth === 0 ? { deleted: { operator: "isFalse" } } : { anyOf: [nested(depth - 1)] };
    expect((await list("series", nested(10))).status).toBe(200);
    const wrong = [
      "moth",
      [],
      {},
      { a: 1, b: 2 },
      { unknown: { operator: "is", value: "x" } },
      { constructor: { operator: "is", value: "x" } },
      { title: { operator: "eats", value: "x" } },
      { title: { operator: "is" } },
      { anyOf: {} },
      { allOf: Array(300).fill({ deleted: { operator: "isFalse" } }) },
      { releaseDate: { operator: "isInTheLast", duration: "soon" } },
      nested(11),
    ];
    for (const condition of wrong) {
      const { status, body } = await list("series", condition);
      expect([condition, status, body.code]).toEqual([condition, 400, "komga-api/wrong-condition"]);
    }
    expect((await new KomgaApp(desk.host.url, {}).call("POST", "/v1/books/list", { body: {} })).status).toBe(401);
  });
});
