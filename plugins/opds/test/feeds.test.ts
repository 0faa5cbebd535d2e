import { createRequire } from "node:module";
import { needs } from "@longbox/test/needs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { basic, crawl, openCatalog, type ReadingRoom } from "./support/catalog.js";
import { hasJing, hasSchemas, jsonSchemaCheck, relaxNgProblems } from "./support/schemas.js";

const require = createRequire(import.meta.url);

let room: ReadingRoom;
let atom: Map<string, { text: string; type: string }>;
let json: Map<string, { text: string; type: string }>;
const hrefs = (text: string) =>
  [...text.matchAll(/href="([^"]+)" type="application\/atom\+xml[^"]*"/g)]
    .map((match) => match[1]!.replaceAll("&amp;", "&"))
    .filter((address) => !address.includes("{"));
const feedLinks = (text: string): string[] => {
  const feed = JSON.parse(text);
  const facets = (feed.facets ?? []).flatMap((group: { links: unknown[] }) => group.links);
  return [...feed.links, ...(feed.navigation ?? []), ...facets]
    .filter((link) => link.type === "application/opds+json" && !link.templated)
    .map((link) => link.href);
};

beforeAll(async () => {
  room = await openCatalog();
  await room.host.as("viewer").get("/api/auth/me");
  const begun = await room.issue("Moth Patrol", "2");
  await room.host
    .as("viewer")
    .post(`/api/reader/issue/${begun.cvIssueId}/progress`, { page: 1, pages: 4, completed: false });
  atom = await crawl(room, `${room.host.url}/api/opds`, hrefs);
  json = await crawl(room, `${room.host.url}/api/opds/v2`, feedLinks);
});
afterAll(() => room[Symbol.asyncDispose]());

const local = (address: string) => address.slice(room.host.url.length);
const read = async (path: string, headers: Record<string, string> = {}) =>
  fetch(room.host.url + path, { headers: { ...basic(room), ...headers }, redirect: "manual" });

describe("OPDS 1.2", () => {
  it("reaches every shelf and series from its root, each with the exact media type of its kind", () => {
    const paths = [...atom.keys()].map(local);
    expect(paths).toEqual(
      expect.arrayContaining([
        "/api/opds",
        "/api/opds/series",
        "/api/opds/new",
        "/api/opds/new?page=2",
        "/api/opds/publishers",
        "/api/opds/libraries",
        "/api/opds/continue",
        "/api/opds/later",
      ]),
    );
    for (const [address, { type, text }] of atom) {
      const kind =
        text.includes("http://opds-spec.org/acquisition") || /\/(continue|later|new)$|\/series\/\d/.test(address)
          ? "acquisition"
          : "navigation";
      expect([local(address), type]).toEqual([
        local(address),
        `application/atom+xml;profile=opds-catalog;kind=${kind};charset=utf-8`,
      ]);
    }
  });

  it("is valid by the RELAX NG of the specification", needs(hasJing, "jing is not installed"), async () => {
    expect(await relaxNgProblems([...atom.values()].map(({ text }) => text))).toEqual([]);
  });

  it("would not pass that schema if an entry lacked its id", needs(hasJing, "jing is not installed"), async () => {
    const { text } = [...atom.values()].find((feed) => feed.text.includes("<entry>"))!;
    expect(await relaxNgProblems([text.replace(/<entry><id>[^<]*<\/id>/, "<entry>")])).not.toEqual([]);
  });

  it("is read by opds-feed-parser", async () => {
    const Parser = require("opds-feed-parser").default;
    const series = [...atom.entries()].find(
      ([address, { text }]) => /\/series\/\d+$/.test(address) && text.includes("<title>Moth Patrol</title>"),
    )!;
    const feed = await new Parser().parse(series[1].text);
    expect(feed.entries.map((entry: { title: string }) => entry.title)).toEqual([
      "Moth Patrol #1: Moth Patrol, part 1",
      "Moth Patrol #2: Moth Patrol, part 2",
      "Moth Patrol #3: Moth Patrol, part 3",
    ]);
    const acquisition = feed.entries[0].links.find(
      (link: { rel: string }) => link.rel === "http://opds-spec.org/acquisition",
    );
    expect(acquisition).toMatchObject({
      type: "application/vnd.comicbook+zip",
      href: expect.stringMatching(/\/file\/Moth%20Patrol%20001\.cbz$/),
    });
  });

  it("is turned into OPDS 2.0 by r2-opds-js, with the titles, files and facets that the feed of 2.0 has", async () => {
    const base = "r2-opds-js/dist/es8-es2017/src/opds";
    require(`${base}/init-globals`).initGlobalConverters_OPDS();
    const { OPDS } = require(`${base}/opds1/opds`);
    const { convertOpds1ToOpds2 } = require(`${base}/converter`);
    const { XML } = require("r2-utils-js/dist/es8-es2017/src/_utils/xml-js-mapper");
    const { DOMParser } = createRequire(require.resolve(`${base}/converter`))("@xmldom/xmldom");
    const { seriesId } = await room.issue("Moth Patrol", "1");
    const turned = convertOpds1ToOpds2(
      XML.deserialize(
        new DOMParser().parseFromString(
          atom.get(`${room.host.url}/api/opds/series/${seriesId}`)!.text,
          "application/xml",
        ),
        OPDS,
      ),
    );
    const own = JSON.parse(json.get(`${room.host.url}/api/opds/v2/series/${seriesId}`)!.text);
    const files = (links: any[], rel: string, href: string) =>
      links.find((link) => [link[rel]].flat().includes("http://opds-spec.org/acquisition"))[href];
    expect(
      turned.Publications.map((publication: any) => [
        publication.Metadata.Title,
        publication.Metadata.Identifier,
        files(publication.Links, "Rel", "Href"),
        publication.Images.length,
      ]),
    ).toEqual(
      own.publications.map((publication: any) => [
        publication.metadata.title,
        publication.metadata.identifier,
        files(publication.links, "rel", "href"),
        publication.images.length,
      ]),
    );
    expect(turned.Facets[0].Links.map((link: any) => [link.Title, Number(link.Properties.NumberOfItems)])).toEqual(
      own.facets[0].links.map((link: any) => [link.title, link.properties.numberOfItems]),
    );
    expect([turned.Metadata.Title, turned.Publications.length]).toEqual(["Moth Patrol", 3]);
  });

  it("gives every entry and feed an id of its own", () => {
    const ids = [...atom.entries()]
      .filter(([address]) => !address.includes("?"))
      .map(([, { text }]) => /<id>([^<]+)<\/id>/.exec(text)![1]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("says in its root when something was added last", async () => {
    const updated = (path: string) =>
      new Date(/<updated>([^<]+)<\/updated>/.exec(atom.get(room.host.url + path)!.text)![1]!);
    expect(updated("/api/opds")).toEqual(updated("/api/opds/new"));
    expect(Date.now() - updated("/api/opds").getTime()).toBeLessThan(3_600_000);
  });

  it("streams pages counted from 0 and tells the last page read counted from 1", async () => {
    const text = await (await read("/api/opds/continue")).text();
    expect(text).toMatch(
      /rel="http:\/\/vaemendis\.net\/opds-pse\/stream" type="image\/jpeg" href="[^"]+\/page\/\{pageNumber\}\?w=\{maxWidth\}" pse:count="4" pse:lastRead="2" pse:lastReadDate="[^"]+Z"/,
    );
    const series = await (await read(`/api/opds/series/${(await room.issue("Moth Patrol", "2")).seriesId}`)).text();
    expect(series.split("<entry>").filter((entry) => entry.includes("pse:lastRead=")).length).toBe(1);
  });

  it("has an OpenSearch description with an absolute template that finds what it is asked for", async () => {
    const root = atom.get(`${room.host.url}/api/opds`)!.text;
    expect(root).toContain('rel="search"');
    const description = await (await read("/api/opds/opensearch.xml")).text();
    const template = /template="([^"]+)"/.exec(description)![1]!.replaceAll("&amp;", "&");
    expect(template.startsWith(`${room.host.url}/api/opds/search?q=`)).toBe(true);
    const found = await (
      await fetch(template.replace("{searchTerms}", encodeURIComponent("moth #3")), { headers: basic(room) })
    ).text();
    expect([...found.matchAll(/<entry>.*?<title>([^<]+)/g)].map((match) => match[1])).toEqual([
      "Moth Patrol #3: Moth Patrol, part 3",
    ]);
    const nothing = await read(`/api/opds/search?q=${encodeURIComponent("<nothing> & \u0007 nobody")}`);
    expect(nothing.status).toBe(200);
    if (hasJing) expect(await relaxNgProblems([await nothing.text(), found])).toEqual([]);
  });

  it("pages long feeds, and says 404 beyond the end", async () => {
    const first = await (await read("/api/opds/new")).text();
    expect([first.split("<entry>").length - 1, first.includes('rel="next"'), first.includes('rel="previous"')]).toEqual(
      [50, true, false],
    );
    const last = await (await read("/api/opds/new?page=2")).text();
    expect([last.split("<entry>").length - 1, last.includes('rel="next"'), last.includes('rel="previous"')]).toEqual([
      7,
      false,
      true,
    ]);
    expect([
      (await read("/api/opds/new?page=3")).status,
      (await read("/api/opds/new?page=0")).status,
      (await read("/api/opds/series/9999")).status,
    ]).toEqual([404, 400, 404]);
  });

  it("offers facets of which one is active, with counts that are true", async () => {
    const series = (await room.issue("Moth Patrol", "1")).seriesId;
    const one = await room.issue("Moth Patrol", "1");
    await room.host.as("viewer").post(`/api/reader/issue/${one.cvIssueId}/mark`, { read: true });
    const text = await (await read(`/api/opds/series/${series}?show=unread`)).text();
    const facets = [
      ...text.matchAll(
        /title="(All|Unread|Read)" opds:facetGroup="Reading"( opds:activeFacet="true")? thr:count="(\d+)"/g,
      ),
    ].map(([, title, active, count]) => [title, active !== undefined, Number(count)]);
    expect(facets).toEqual([
      ["All", false, 3],
      ["Unread", true, 2],
      ["Read", false, 1],
    ]);
    expect(text.split("<entry>").length - 1).toBe(2);
    await room.host.as("viewer").post(`/api/reader/issue/${one.cvIssueId}/mark`, { read: false });
  });
});

describe("OPDS 2.0", () => {
  it("has the same shelves as 1.2", () => {
    const shelves = (all: Iterable<string>, base: string) =>
      new Set([...all].map((address) => local(address).slice(base.length)).filter((path) => !path.includes("issue")));
    expect(shelves(json.keys(), "/api/opds/v2")).toEqual(shelves(atom.keys(), "/api/opds"));
  });

  it(
    "is valid by the JSON schemas of the specification",
    needs(hasSchemas, "the OPDS schemas are not beside the checkout"),
    async () => {
      const check = await jsonSchemaCheck();
      const problems = [...json].flatMap(([address, { text }]) =>
        check("https://specs.opds.io/schema/feed.schema.json", JSON.parse(text)).map(
          (problem) => `${local(address)} ${problem}`,
        ),
      );
      expect(problems).toEqual([]);
      expect([...json.values()].every(({ type }) => type.startsWith("application/opds+json"))).toBe(true);
      const publications = [...json.values()].flatMap(({ text }) => JSON.parse(text).publications ?? []);
      expect(publications.length).toBeGreaterThan(50);
      const { metadata: _without, ...broken } = publications[0];
      expect(check("https://specs.opds.io/schema/publication.schema.json", broken)).not.toEqual([]);
    },
  );

  it(
    "describes single publications, their pages and the way to sign in by their schemas",
    needs(hasSchemas, "the OPDS schemas are not beside the checkout"),
    async () => {
      const check = await jsonSchemaCheck();
      const { cvIssueId } = await room.issue("Moth Patrol", "1");
      const publication = await read(`/api/opds/v2/issue/${cvIssueId}`);
      const manifest = await read(`/api/opds/v2/issue/${cvIssueId}/manifest`);
      const signIn = await fetch(`${room.host.url}/api/opds/auth`);
      expect([publication, manifest, signIn].map((answer) => answer.headers.get("content-type"))).toEqual([
        "application/opds-publication+json",
        "application/divina+json",
        "application/opds-authentication+json",
      ]);
      const pages = (await manifest.json()) as { readingOrder: Array<{ href: string; type: string }> };
      expect(check("https://specs.opds.io/schema/publication.schema.json", await publication.json())).toEqual([]);
      expect(check("https://readium.org/webpub-manifest/schema/publication.schema.json", pages)).toEqual([]);
      expect(check("https://drafts.opds.io/schema/authentication.schema.json", await signIn.json())).toEqual([]);
      const page = await fetch(pages.readingOrder[2]!.href, { headers: basic(room) });
      expect([page.status, page.headers.get("content-type")]).toEqual([200, pages.readingOrder[2]!.type]);
    },
  );

  it("is read by r2-opds-js", async () => {
    const base = "r2-opds-js/dist/es8-es2017/src/opds";
    require(`${base}/init-globals`).initGlobalConverters_OPDS();
    require("r2-shared-js/dist/es8-es2017/src/init-globals").initGlobalConverters_GENERIC();
    const { TaJsonDeserialize } = require("r2-lcp-js/dist/es8-es2017/src/serializable");
    const { OPDSFeed } = require(`${base}/opds2/opds2`);
    const feed = TaJsonDeserialize(JSON.parse(json.get(`${room.host.url}/api/opds/v2/new`)!.text), OPDSFeed);
    expect([feed.Metadata.Title, feed.Metadata.NumberOfItems, feed.Publications.length]).toEqual([
      "Recently added",
      57,
      50,
    ]);
    expect(
      feed.Publications[0].Links.some((link: { Rel: string[] }) =>
        link.Rel.includes("http://opds-spec.org/acquisition"),
      ),
    ).toBe(true);
  });

  it("searches by its template, and answers an empty search with a feed that is valid", async () => {
    const root = JSON.parse(json.get(`${room.host.url}/api/opds/v2`)!.text);
    const template = root.links.find((link: { rel: string }) => link.rel === "search").href as string;
    const search = async (words: string) =>
      (
        await fetch(template.replace("{?query}", `?query=${encodeURIComponent(words)}`), { headers: basic(room) })
      ).json() as Promise<{
        publications?: Array<{ metadata: { title: string } }>;
        metadata: { numberOfItems: number };
      }>;
    expect((await search("salt")).publications!.map((publication) => publication.metadata.title)).toEqual([
      "Salt < Pepper & Co #1: Salt < Pepper & Co, part 1",
    ]);
    const nothing = await search("nobody-nothing");
    expect([nothing.metadata.numberOfItems, nothing.publications]).toEqual([0, undefined]);
    if (hasSchemas)
      expect((await jsonSchemaCheck())("https://specs.opds.io/schema/feed.schema.json", nothing)).toEqual([]);
  });
});
