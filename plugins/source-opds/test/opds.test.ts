import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { comicEntries, zip } from "@longbox/test/fixtures";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDownloadDesk, until, type DownloadDesk } from "../../downloads/test/support/download-desk.js";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let pages: Map<string, string | Handler>;
let asked: string[];
let url: string;
let close: () => Promise<void>;

beforeEach(async () => {
  pages = new Map();
  asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const page = pages.get(new URL(request.url ?? "/", "http://here").pathname);
    if (typeof page === "function") page(request, response);
    else if (page === undefined) response.writeHead(404).end();
    else response.end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
});
afterEach(() => close());

const comic = async (number: string) => zip(await comicEntries({ series: "Moth Patrol", number, pages: 2 }));
const acquisition = "http://opds-spec.org/acquisition";
const cbz = "application/vnd.comicbook+zip";

function atom(entries: string, links = ""): string {
  return `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><id>urn:a</id><title>Elsewhere</title>${links}${entries}</feed>`;
}

const entry = (title: string, links: string) =>
  `<entry><id>urn:${encodeURIComponent(title)}</id><title>${title}</title><updated>2026-03-01T10:00:00Z</updated>${links}</entry>`;

/** A catalog of OPDS 1.2, whose search finds the series, whose second page has the issue. */
async function serveAtom(): Promise<void> {
  const file = await comic("3");
  const type = "application/opensearchdescription+xml";
  pages.set("/opds", atom("", `<link rel="search" type="${type}" href="search.xml"/>`));
  const feed = "application/atom+xml;profile=opds-catalog;kind=acquisition";
  pages.set(
    "/search.xml",
    `<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><Url type="${feed}" template="${url}/find?q={searchTerms}"/></OpenSearchDescription>`,
  );
  pages.set("/find", atom(entry("Moth Patrol", `<link rel="subsection" type="${feed}" href="/series/1"/>`)));
  pages.set(
    "/series/1",
    atom(
      entry("#2", `<link rel="${acquisition}" type="${cbz}" href="/none.cbz"/>`),
      '<link rel="next" href="?page=2"/>',
    ),
  );
  const second = atom(
    entry(
      "#3",
      `<link rel="${acquisition}/buy" href="/shop"/><link rel="${acquisition}" type="${cbz}" href="/3.cbz"/>`,
    ),
  );
  const first = pages.get("/series/1") as string;
  pages.set("/series/1", (request, response) => response.end(request.url?.includes("page=2") ? second : first));
  pages.set("/3.cbz", (_, response) => response.end(file));
}

async function openDesk(catalog: Record<string, unknown> = {}): Promise<DownloadDesk> {
  const desk = await openDownloadDesk({ plugins: ["source-opds"] });
  await saveCatalog(desk, { name: "Elsewhere", url: `${url}/opds`, ...catalog });
  return desk;
}

const saveCatalog = async (desk: DownloadDesk, catalog: Record<string, unknown>) => {
  const saved = await desk.host.as("admin").post("/api/settings", { "source-opds": { catalogs: [catalog] } });
  expect(saved.status).toBe(200);
};

const search = (desk: DownloadDesk) =>
  desk.host.as("admin").post("/api/search", { seriesId: desk.seriesId, cvIssueId: 50_013 });

describe("a catalog", () => {
  it("of OPDS 1.2 is searched through its series and pages, and downloaded from", async () => {
    await serveAtom();
    await using desk = await openDesk();
    expect((await desk.host.as("viewer").get("/api/sources")).body).toContainEqual(
      expect.objectContaining({ name: "Elsewhere", kind: "catalog", enabled: true }),
    );
    await desk.host.as("admin").post("/api/download", { issueIds: [await desk.issueId("3")] });
    await desk.owns("3");
    expect((await desk.host.as("admin").get("/api/history")).body.rows[0]).toMatchObject({
      source: "Elsewhere",
      release: "Moth Patrol #3",
    });
    expect(asked).toContain("/find?q=Moth%20Patrol");
  });

  it("of OPDS 2.0, with a name and a password, is searched and downloaded from", async () => {
    const file = await comic("3");
    const known = `Basic ${Buffer.from("reader:a long secret of the reader").toString("base64")}`;
    const guarded =
      (answer: string | Uint8Array): Handler =>
      (request, response) =>
        request.headers.authorization === known ? response.end(answer) : response.writeHead(401).end();
    const template = { rel: "search", href: "/find{?query}", type: "application/opds+json", templated: true };
    pages.set("/opds", guarded(JSON.stringify({ metadata: { title: "Elsewhere" }, links: [template] })));
    const links = [{ rel: [acquisition], href: "files/3", type: cbz, size: file.length }];
    const publication = { metadata: { title: "Moth Patrol #3", identifier: "urn:3" }, links };
    pages.set("/find", guarded(JSON.stringify({ metadata: {}, publications: [publication] })));
    pages.set("/files/3", guarded(file));
    await using desk = await openDesk({ username: "reader", password: "a long secret of the reader" });
    const admin = desk.host.as("admin");
    const { body } = await search(desk);
    expect(body).toMatchObject([{ title: "Moth Patrol #3", accepted: true, size: file.length }]);
    expect(JSON.stringify(body)).not.toMatch(/secret|127\.0\.0\.1/);
    await admin.post("/api/search/grab", { result: body[0], seriesId: desk.seriesId, cvIssueId: 50_013 });
    await desk.owns("3");
    const { catalogs } = (await admin.get("/api/settings")).body["source-opds"];
    expect(catalogs[0]).toMatchObject({ password: "********" });
    const test = (values: object) => admin.post("/api/sources/source-opds/test", values);
    expect((await test(catalogs[0])).body).toMatchObject({ ok: true });
    expect((await test({ ...catalogs[0], password: "wrong" })).body).toMatchObject({ ok: false });
    expect((await test({ url: "file:///etc/passwd" })).status).toBe(400);
  });

  it.each([
    ["a web page", "<!doctype html><html><body>Sign in</body></html>"],
    ["endless depth", atom("<a>".repeat(500))],
    ["entities", `<!DOCTYPE f [<!ENTITY a "b"><!ENTITY c "&a;&a;&a;">]>${atom(entry("&c;", ""))}`],
    ["JSON of another kind", '{"a":'.repeat(2000)],
    ["nothing", ""],
    ["more than a feed may be", atom(`<title>${"x".repeat(5 * 1024 * 1024)}</title>`)],
  ])("that answers with %s says so, and does no harm", async (_, answer) => {
    pages.set("/opds", answer);
    await using desk = await openDesk();
    expect((await search(desk)).body).toEqual([]);
    const [source] = (await desk.host.as("admin").get("/api/sources")).body.filter(
      ({ kind }: { kind: string }) => kind === "catalog",
    );
    expect(source.problem.message).toMatch(/\w/);
    await desk.host.as("admin").post("/api/download", { issueIds: [await desk.issueId("3")] });
    await until(async () => /Elsewhere/.test((await desk.item("3"))?.error ?? ""));
  });

  it("that leads to addresses inside the network is not followed there", async () => {
    await serveAtom();
    let reached = false;
    const inside = createServer((_, response) => {
      reached = true;
      response.end("inside");
    });
    await new Promise<void>((resolve) => inside.listen(0, "127.0.0.1", resolve));
    const { port } = inside.address() as AddressInfo;
    try {
      pages.set(
        "/find",
        atom(
          entry("Moth Patrol #3", `<link rel="${acquisition}" type="${cbz}" href="http://127.0.0.1:${port}/3.cbz"/>`),
        ),
      );
      await using desk = await openDesk();
      await desk.host.as("admin").post("/api/download", { issueIds: [await desk.issueId("3")] });
      await until(async () => (await desk.host.as("admin").get("/api/blacklist")).body.total === 1);
      const { rows } = (await desk.host.as("admin").get("/api/blacklist")).body;
      expect(rows[0].reason).toMatch(/inside this network/);
      expect(reached).toBe(false);
    } finally {
      inside.closeAllConnections();
      await new Promise((resolve) => inside.close(resolve));
    }
  });
});
