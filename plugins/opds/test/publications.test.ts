import { join } from "node:path";
import { Collection, type ReadFile } from "@longbox/collection/contract";
import { writeArchive, writeComic } from "@longbox/test/fixtures";
import { needs } from "@longbox/test/needs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { basic, crawl, openCatalog, type ReadingRoom } from "./support/catalog.js";
import { hasJing, hasSchemas, jsonSchemaCheck, relaxNgProblems } from "./support/schemas.js";

let room: ReadingRoom;
/**
 * What XML cannot hold, what markup is made of, what file systems refuse, and a title that is cut within a character.
 */
const hostile = [
  'Bell\u0007 \ud800 <b>&amp; ]]> "quoted" \'n all\ufffe',
  "../..\\NUL: *?|",
  `${"夜".repeat(80)}🦋🦋`,
  ".. .",
  "a\r\nSet-Cookie: b=1\tc",
];

/** One red pixel. */
const bitmap = Buffer.from(
  "424d3a000000000000003600000028000000010000000100000001001800000000000400000000000000000000000000000000000000" +
    "0000ff00",
  "hex",
);

beforeAll(async () => {
  room = await openCatalog({
    plans: [
      { title: "Élan Vital", year: 2018, publisher: "Maison Lumière", issues: ["1", "3", "10"], pages: 1 },
      { title: "Wick", year: 2021, issues: ["1"], pages: 3 },
    ],
    fill: async (root) => {
      await writeArchive(join(root, "Pixel (2022)", "Pixel 001 (2022).cbz"), new Map([["1.bmp", bitmap]]));
      await writeComic(join(root, "Lamp (2020)", "Lamp 002 (2020).cbz"), {
        series: "Lamp",
        number: "2",
        pages: 3,
        format: "webp",
        tags: {
          Series: "Lamp",
          Number: 2,
          Volume: 2020,
          Title: "Oil & Wick",
          Publisher: "Brass <Lantern>",
          Year: 2020,
          Month: 2,
          Day: 29,
          Writer: "Ada Quill",
          Penciller: "Bo Fern",
          Inker: "Cy Moss",
          Colorist: "Di Reed",
          Letterer: "Ed Sage",
          Editor: "Fay Thorn",
          StoryArc: "Dusk",
          Manga: "YesAndRightToLeft",
          Summary: "<p>A <b>dark</b> night &amp; day.</p><script>steal()</script>",
        },
      });
    },
  });
  await room.host.as("viewer").get("/api/auth/me");
  await place(
    hostile.map((name, index) => ({
      name,
      title: `${name} part`,
      path: `/nowhere/hostile-${index}.cbz`,
      coverDate: ["2019-00-00", "2019-13", "2019-02-30", "soon", "2019"][index],
    })),
  );
  await place([{ name: "The Quiet Book", path: "/nowhere/quiet.epub", pages: 0 }]);
});
afterAll(() => room[Symbol.asyncDispose]());

interface Placed {
  name: string;
  path: string;
  number?: string;
  title?: string;
  coverDate?: string | undefined;
  pages?: number;
}

function place(files: readonly Placed[]) {
  return room.host.use(Collection).placeFiles(
    files.map(({ name, path, number = "1", title, coverDate, pages = 8 }): ReadFile => ({
      libraryId: room.libraryId,
      path,
      name: path.slice(path.lastIndexOf("/") + 1),
      sizeBytes: 1000,
      modifiedAt: "2026-01-01T00:00:00.000Z",
      pages,
      valid: true,
      tagged: true,
      series: { name, folder: `/nowhere/${name}`, publisher: "Nobody & Sons" },
      issue: { number, kind: "issue", title, coverDate },
    })),
  );
}

const read = (path: string, init: RequestInit = {}) =>
  fetch(`${room.host.url}/api/opds${path}`, {
    redirect: "manual",
    ...init,
    headers: { ...basic(room), ...(init.headers as Record<string, string>) },
  });
const text = async (path: string) => (await read(path)).text();
const json = async (path: string) => (await read(`/v2${path}`)).json() as Promise<any>;

describe("a publication", () => {
  it("tells in OPDS 2.0 what is known of it, in the words of Readium", async () => {
    const { cvIssueId, seriesId } = await room.issue("Lamp", "2");
    const base = `${room.host.url}/api/opds/v2`;
    const publication = await json(`/issue/${cvIssueId}`);
    expect(publication.metadata).toEqual({
      "@type": "http://schema.org/ComicIssue",
      title: "Lamp #2: Oil & Wick",
      identifier: expect.stringMatching(
        /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      modified: expect.stringMatching(/Z$/),
      author: ["Ada Quill"],
      penciler: ["Bo Fern"],
      inker: ["Cy Moss"],
      colorist: ["Di Reed"],
      letterer: ["Ed Sage"],
      editor: ["Fay Thorn"],
      description: "A dark night & day.\nsteal()",
      published: "2020-02-29",
      publisher: "Brass <Lantern>",
      numberOfPages: 3,
      readingProgression: "rtl",
      belongsTo: {
        series: [
          { name: "Lamp", position: 2, links: [{ href: `${base}/series/${seriesId}`, type: "application/opds+json" }] },
        ],
        storyArc: [{ name: "Dusk" }],
      },
    });
    expect(publication.links).toEqual([
      { rel: "self", href: `${base}/issue/${cvIssueId}`, type: "application/opds-publication+json" },
      {
        rel: "http://opds-spec.org/acquisition",
        href: `${room.host.url}/api/opds/issue/${cvIssueId}/file/Lamp%20002.cbz`,
        type: "application/vnd.comicbook+zip",
        size: expect.any(Number),
        properties: {
          authenticate: { href: `${room.host.url}/api/opds/auth`, type: "application/opds-authentication+json" },
        },
      },
      { rel: ["self", "alternate"], href: `${base}/issue/${cvIssueId}/manifest`, type: "application/divina+json" },
      {
        rel: "http://opds-spec.org/progression",
        href: `${base}/issue/${cvIssueId}/progression`,
        type: "application/opds-progression+json",
      },
      {
        rel: "http://www.cantook.com/api/progression",
        href: `${base}/issue/${cvIssueId}/readium-progression`,
        type: "application/vnd.readium.progression+json",
      },
    ]);
  });

  it("tells in OPDS 1.2 its people, publisher and date, and its description without markup", async () => {
    const { seriesId } = await room.issue("Lamp", "2");
    const atom = await text(`/series/${seriesId}`);
    expect(/<entry>.*<\/entry>/s.exec(atom)![0]).toMatch(
      /<author><name>Ada Quill<\/name><\/author><dc:publisher>Brass &lt;Lantern&gt;<\/dc:publisher><dc:issued>2020-02-29<\/dc:issued><summary type="text">Oil &amp; Wick · 3 pages<\/summary><content type="text">A dark night &amp; day. steal\(\)<\/content>/,
    );
  });

  it("lists its pages under the type in which they are sent", async () => {
    const { readingOrder, metadata } = await json(`/issue/${(await room.issue("Lamp", "2")).cvIssueId}/manifest`);
    expect([readingOrder.length, metadata.readingProgression, metadata.numberOfPages]).toEqual([3, "rtl", 3]);
    const sent = (pages: ReadonlyArray<{ href: string; type: string }>) =>
      Promise.all(
        pages.map(async ({ href, type }) => [
          type,
          (await fetch(href, { headers: basic(room) })).headers.get("content-type"),
        ]),
      );
    expect(await sent(readingOrder)).toEqual([
      ["image/jpeg", "image/jpeg"],
      ["image/jpeg", "image/jpeg"],
      ["image/jpeg", "image/jpeg"],
    ]);
    const bitmap = await json(`/issue/${(await room.issue("Pixel", "1")).cvIssueId}/manifest`);
    expect(await sent(bitmap.readingOrder)).toEqual([["image/jpeg", "image/jpeg"]]);
  });

  it("promises no cover or pages when it has none, and keeps the place in the program's own words", async () => {
    const found = await json("/search?query=quiet+book");
    expect(found.publications).toHaveLength(1);
    const [{ links, images, metadata }] = found.publications;
    expect(links[1]).toMatchObject({
      href: expect.stringMatching(/\/The%20Quiet%20Book%20001\.epub$/),
      type: "application/epub+zip",
    });
    expect([images, metadata.numberOfPages, links.map((link: { rel: string }) => link.rel)]).toEqual([
      undefined,
      undefined,
      [
        "self",
        "http://opds-spec.org/acquisition",
        "http://opds-spec.org/progression",
        "http://www.cantook.com/api/progression",
      ],
    ]);
    expect(await text("/search?q=quiet+book")).not.toMatch(/opds-pse\/stream|opds-spec.org\/image/);
    const at = (number: number) => links[number].href.slice(`${room.host.url}/api/opds`.length);
    const told = async (path: string, type: string, body: object) =>
      read(path, { method: "PUT", headers: { "Content-Type": type }, body: JSON.stringify(body) });
    const device = { id: "urn:uuid:0f14d0ab-9605-4a62-a9e4-5ed26688389b", name: "A tablet" };
    const reference = "chapter3.xhtml#par26";
    await told(at(2), "application/opds-progression+json", {
      modified: "2026-03-01T10:00:00Z",
      device,
      progression: 0.34,
      references: [reference],
    });
    expect(await (await read(at(2))).json()).toMatchObject({ progression: 0.34, references: [reference] });
    const older = async () => (await (await read(at(3))).json()).locator;
    expect(await older()).toMatchObject({ locations: { totalProgression: 0.34 } });
    const locator = { href: "chapter4.xhtml", type: "text/html", locations: { totalProgression: 0.5 } };
    await told(at(3), "application/vnd.readium.progression+json", {
      modified: "2026-03-02T10:00:00Z",
      device,
      locator,
    });
    expect(await older()).toEqual(locator);
  });

  it("keeps its id after a restart, and has a different id on another server", async () => {
    const ids = async (of: ReadingRoom) =>
      [
        ...(await (await fetch(`${of.host.url}/api/opds/new`, { headers: basic(of) })).text()).matchAll(
          /<id>([^<]+)<\/id>/g,
        ),
      ].map((match) => match[1]);
    const before = await ids(room);
    await using other = await openCatalog({ plans: [{ title: "Élan Vital", year: 2018, issues: ["1"], pages: 1 }] });
    await other.host.as("viewer").get("/api/auth/me");
    const elsewhere = await ids(other);
    expect(elsewhere.filter((id) => before.includes(id))).toEqual([]);
    await other.host.restart();
    expect(await ids(other)).toEqual(elsewhere);
  });
});

describe("titles that mean harm", () => {
  it(
    "leave every feed valid",
    needs(hasJing && hasSchemas, "jing is not installed or the OPDS schemas are not beside the checkout"),
    async () => {
      const atoms = await Promise.all(
        ["/new", "/series", "/publishers", `/search?q=${encodeURIComponent("a\u0007 ]]>")}`].map(text),
      );
      expect(await relaxNgProblems(atoms)).toEqual([]);
      const check = await jsonSchemaCheck();
      expect(
        (await Promise.all(["/new", "/series", "/publishers"].map(json))).flatMap((feed) =>
          check("https://specs.opds.io/schema/feed.schema.json", feed),
        ),
      ).toEqual([]);
    },
  );

  it("lead to file names that any file system takes, and to no others", async () => {
    const { publications } = await json("/new");
    const names = publications.map((publication: any) =>
      decodeURIComponent(publication.links[1].href.slice(publication.links[1].href.lastIndexOf("/") + 1)),
    ) as string[];
    expect(
      names.every((name) => Buffer.byteLength(name) <= 255 && !/[\u0000-\u001f<>:"/\\|?*]|^[. ]|[. ]$/.test(name)),
    ).toBe(true);
    expect(names).toEqual(
      expect.arrayContaining([
        "NUL 001.cbz",
        "001.cbz",
        `${"夜".repeat(65)} 001.cbz`,
        "a Set-Cookie b=1 c 001.cbz",
        "The Quiet Book 001.epub",
      ]),
    );
  });

  it("leave out days that there are not", async () => {
    const { publications } = await json("/new");
    const dates = new Map(
      publications.map((publication: any) => [
        publication.metadata.belongsTo.series[0].name,
        publication.metadata.published,
      ]),
    );
    expect(hostile.slice(1).map((name) => dates.get(name))).toEqual([
      "2019-01-01",
      "2019-02-01",
      undefined,
      "2019-01-01",
    ]);
  });

  it("are found through their publisher, whose name is escaped in addresses", async () => {
    const { navigation } = await json("/publishers");
    const publisher = navigation.find((link: { title: string }) => link.title === "Nobody & Sons");
    expect(((await (await fetch(publisher.href, { headers: basic(room) })).json()) as any).metadata).toMatchObject({
      title: "Nobody & Sons",
      numberOfItems: 6,
    });
    expect([(await read("/publisher?name=Nobody")).status, (await read("/publisher")).status]).toEqual([404, 404]);
  });
});

describe("search", () => {
  const found = async (words: string) =>
    ((await json(`/search?query=${encodeURIComponent(words)}`)).publications ?? []).map((publication: any) =>
      publication.metadata.title.replace(/:.*/, ""),
    );

  it("finds series by any of their words without regard to accents, by publisher and by creator", async () => {
    const all = ["Élan Vital #1", "Élan Vital #3", "Élan Vital #10"];
    expect(await Promise.all(["elan", "VITAL élan", "vit", "lumiere maison", "élan quill"].map(found))).toEqual([
      all,
      all,
      all,
      all,
      all,
    ]);
  });

  it("finds issues by their own titles, after those of the series that are called so", async () => {
    expect(await Promise.all(["wick oil", "wick", "oil #3", "%", "o_l"].map(found))).toEqual([
      ["Lamp #2"],
      ["Wick #1", "Lamp #2"],
      [],
      [],
      [],
    ]);
  });

  it("chooses a number, with or without its sign", async () => {
    expect(
      await Promise.all(["elan #3", "#10 elan", "elan vital 3", "elan 003", "elan #3 #10", "elan 4"].map(found)),
    ).toEqual([
      ["Élan Vital #3"],
      ["Élan Vital #10"],
      ["Élan Vital #3"],
      ["Élan Vital #3"],
      ["Élan Vital #3", "Élan Vital #10"],
      [],
    ]);
  });

  it("finds nothing for what says nothing", async () => {
    expect(await Promise.all(["", " ", "!?", "#", "\u0000", "zeppelin"].map(found))).toEqual([[], [], [], [], [], []]);
    expect((await read(`/search?q=${"a".repeat(201)}`)).status).toBe(400);
  });
});

describe("the place in an issue", () => {
  const device = { id: "urn:uuid:0f14d0ab-9605-4a62-a9e4-5ed26688389b", name: "A tablet" };
  const type = "application/opds-progression+json";
  const put = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    read(path, { method: "PUT", headers: { "Content-Type": type, ...headers }, body: JSON.stringify(body) });

  it("is read and told by programs, goes back with the device that was furthest, and is not overwritten by older readings", async () => {
    const { cvIssueId, seriesId } = await room.issue("Wick", "1");
    const path = `/v2/issue/${cvIssueId}/progression`;
    const nothing = await read(path);
    expect([nothing.status, nothing.headers.get("content-type"), await nothing.text()]).toEqual([200, type, ""]);

    const first = await put(path, {
      modified: "2026-03-01T12:00:00+02:00",
      device,
      progression: 0.34,
      references: ["#page=2"],
    });
    const kept = {
      modified: "2026-03-01T10:00:00.000Z",
      device: { id: expect.stringMatching(/^urn:uuid:/), name: "Longbox" },
      progression: 1 / 3,
      references: ["#page=2"],
    };
    expect([first.status, first.headers.get("content-type"), await first.json()]).toEqual([200, type, kept]);
    expect(await (await read(path)).json()).toEqual(kept);

    const older = await put(path, { modified: "2026-03-01T11:59:59+02:00", device, progression: 0.9 });
    expect([older.status, ((await older.json()) as any).code]).toEqual([409, "opds/progression-is-older"]);
    const back = await put(path, { modified: "2026-03-02T10:00:00Z", device, progression: 0 });
    expect([back.status, await back.json()]).toMatchObject([200, { progression: 0, references: ["#page=1"] }]);
    await put(path, { modified: "2026-03-03T10:00:00Z", device, progression: 0.7 });
    const other = { id: "urn:uuid:6fa459ea-ee8a-3ca4-894e-db77e160355e", name: "A phone" };
    const behind = await put(path, { modified: "2026-03-04T10:00:00Z", device: other, progression: 0 });
    expect(await behind.json()).toMatchObject({ modified: "2026-03-04T10:00:00.000Z", references: ["#page=3"] });
    const ended = await put(path, { modified: "2099-01-01T00:00:00Z", device, progression: 1, title: "The end" });
    const { modified, progression } = (await ended.json()) as any;
    expect([ended.status, progression, Date.parse(modified) <= Date.now()]).toEqual([200, 1, true]);
    const atom = await text(`/series/${seriesId}`);
    expect(atom).toContain(`pse:count="3" pse:lastRead="3" pse:lastReadDate="${modified}"`);
  });

  it("is told in the older document too, which shares it", async () => {
    const { cvIssueId } = await room.issue("Élan Vital", "10");
    const [placed] = await place([{ name: "Older", path: "/nowhere/older.cbz", pages: 10 }]);
    const [older, newer] = ["readium-progression", "progression"].map(
      (name) => `/v2/issue/-${placed!.issueId}/${name}`,
    ) as [string, string];
    expect([(await read(older)).status, (await read(`/v2/issue/${cvIssueId}/readium-progression`)).status]).toEqual([
      204, 204,
    ]);
    const told = (modified: string, locations: object) =>
      put(
        older,
        { modified, device, locator: { href: "page/3", type: "image/jpeg", locations } },
        { "Content-Type": "application/vnd.readium.progression+json" },
      );
    expect((await told("2026-03-01T10:00:00Z", { position: 4, totalProgression: 0.3 })).status).toBe(204);
    const answer = await read(older);
    expect([answer.headers.get("content-type"), await answer.json()]).toEqual([
      "application/vnd.readium.progression+json",
      {
        modified: "2026-03-01T10:00:00.000Z",
        device: { id: expect.stringMatching(/^urn:uuid:/), name: "Longbox" },
        locator: {
          href: `${room.host.url}/api/opds/issue/-${placed!.issueId}/page/3`,
          type: "image/jpeg",
          locations: { position: 4, progression: 0, totalProgression: 0.3 },
        },
      },
    ]);
    expect(await (await read(newer)).json()).toMatchObject({ progression: 0.3, references: ["#page=4"] });
    const statuses = [
      await told("2026-02-28T10:00:00Z", { position: 9 }),
      await told("2026-03-02T10:00:00Z", { totalProgression: 0.5 }),
      await told("2026-03-02T10:00:00Z", { progression: 0.5 }),
    ].map(({ status }) => status);
    expect([statuses, ((await (await read(newer)).json()) as any).references]).toEqual([[409, 204, 400], ["#page=6"]]);
  });

  it("leads back to the page that was told, for any number of pages", async () => {
    const placed = await place(
      [7, 25, 49, 200].map((pages) => ({ name: `Pages ${pages}`, path: `/nowhere/pages-${pages}.cbz`, pages })),
    );
    for (const [index, pages] of [7, 25, 49, 200].entries()) {
      const path = `/v2/issue/-${placed[index]!.issueId}/progression`;
      for (const page of [1, Math.floor(pages / 3), pages - 2]) {
        const { progression } = (await (
          await put(path, { modified: new Date().toISOString(), device, progression: page / pages })
        ).json()) as any;
        expect([pages, progression]).toEqual([pages, page / pages]);
      }
    }
  });

  it("is refused when it says nothing, for what is not there, and without a sign-in", async () => {
    const path = `/v2/issue/${(await room.issue("Élan Vital", "1")).cvIssueId}/progression`;
    const good = { modified: "2026-03-01T10:00:00Z", device, progression: 0.5 };
    const bad = [
      { ...good, modified: "yesterday" },
      { ...good, progression: 1.5 },
      { ...good, device: undefined },
      { ...good, progression: "0.5" },
    ];
    expect(await Promise.all(bad.map(async (body) => (await put(path, body)).status))).toEqual([400, 400, 400, 400]);
    expect([
      (await put("/v2/issue/999999/progression", good)).status,
      (await put(path, good, { Authorization: "" })).status,
      (await read(path, { method: "DELETE" })).status,
    ]).toEqual([404, 401, 405]);
    expect(await (await read(path)).text()).toBe("");
  });
});

describe("long feeds", () => {
  it("give each of 500 issues once, in order, with facets that count them all", async () => {
    const placed = await place(
      Array.from({ length: 500 }, (_, index) => ({
        name: "Long Road",
        path: `/nowhere/long-${index}.cbz`,
        number: String(index + 1),
      })),
    );
    const path = `/series/${placed[0]!.seriesId}`;
    const pages = await Promise.all(Array.from({ length: 10 }, (_, index) => json(`${path}?page=${index + 1}`)));
    expect(
      pages.flatMap((page) =>
        page.publications.map((publication: any) => publication.metadata.belongsTo.series[0].position),
      ),
    ).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
    expect(pages[0].facets[0].links.map((link: any) => link.properties.numberOfItems)).toEqual([500, 500, 0]);
    expect(
      pages.map((page) =>
        page.links
          .map((link: any) => link.rel)
          .filter((rel: string) => ["first", "previous", "next", "last"].includes(rel)),
      ),
    ).toEqual([
      ["first", "next", "last"],
      ...Array.from({ length: 8 }, () => ["first", "previous", "next", "last"]),
      ["first", "previous", "last"],
    ]);
    expect(
      await Promise.all(
        ["11", "9999", "0", "-1", "x", "1.5", ""].map(async (page) => (await read(`${path}?page=${page}`)).status),
      ),
    ).toEqual([404, 404, 400, 400, 400, 400, 400]);
    const empty = await json(`${path}?show=read`);
    expect([empty.metadata.numberOfItems, empty.publications, empty.navigation.length]).toEqual([0, undefined, 1]);
  });
});

it("answers HEAD as GET for everything that the catalog links to", async () => {
  const own = (addresses: string[]) =>
    [...new Set(addresses)].filter((address) => address.startsWith(room.host.url) && !/\{|\/nowhere/.test(address));
  const feeds = await crawl(room, `${room.host.url}/api/opds`, (feed) =>
    own(
      [
        ...feed.matchAll(
          /<link rel="(?:subsection|start|up|next|http:\/\/opds-spec.org\/(?:sort\/new|facet|shelf))" href="([^"]+)"/g,
        ),
      ].map((match) => match[1]!.replaceAll("&amp;", "&")),
    ),
  );
  const { cvIssueId, seriesId } = await room.issue("Lamp", "2");
  const single = ["", "/manifest", "/progression"].map(
    (part) => `${room.host.url}/api/opds/v2/issue/${cvIssueId}${part}`,
  );
  const others = [
    "/opensearch.xml",
    "/auth",
    "/search?q=lamp",
    "/v2",
    "/v2/series",
    `/series/${seriesId}/cover`,
    `/issue/${cvIssueId}/cover?w=320`,
    `/issue/${cvIssueId}/page/1?w=800`,
    `/issue/${cvIssueId}/file/Lamp.cbz`,
  ].map((path) => `${room.host.url}/api/opds${path}`);
  const addresses = own([...feeds.keys(), ...single, ...others]);
  const told = async (address: string, method: string) => {
    const answer = await fetch(address, {
      method,
      redirect: "manual",
      headers: {
        ...basic(room),
        "Accept-Encoding": "identity",
        Accept: "application/opds+json, application/atom+xml;profile=opds-catalog, */*",
      },
    });
    await answer.arrayBuffer();
    return [
      address,
      answer.status,
      ...["content-type", "content-length", "etag", "location", "content-encoding"].map((name) =>
        answer.headers.get(name),
      ),
    ];
  };
  for (const address of addresses) {
    const [get, head] = [await told(address, "GET"), await told(address, "HEAD")];
    expect(head).toEqual(get);
    expect([address, get[1], get[5], get[6]]).toEqual([address, 200, null, null]);
  }
  expect(addresses.length).toBeGreaterThan(30);
});
