import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { comicEntries } from "@longbox/test/fixtures";
import { unzipSync } from "fflate";
import { expect, it } from "vitest";
import { basic, openCatalog } from "./support/catalog.js";

it("sends a folder of images as an archive that is made meanwhile, and lists no link to what is not there", async () => {
  const pages = await comicEntries({ series: "Moth Patrol", number: "1", pages: 12 });
  const name = "Moth Patrol 001 (2019)";
  await using room = await openCatalog({
    plans: [],
    async fill(root) {
      await mkdir(join(root, name));
      for (const [page, bytes] of pages) await writeFile(join(root, name, page), bytes);
      await writeFile(join(root, name, ".hidden"), "not for others");
    },
  });
  const headers = basic(room);
  const get = (address: string) => fetch(address, { headers });
  const feed = await (await get(`${room.host.url}/api/opds/new`)).text();
  const [, href] = /rel="http:\/\/opds-spec.org\/acquisition"[^>]*href="([^"]+)"/.exec(feed) ?? [];
  const link = feed.slice(feed.indexOf('rel="http://opds-spec.org/acquisition"')).split(">")[0];
  expect(link).toContain('type="application/vnd.comicbook+zip"');
  expect(link).not.toContain("length=");
  expect(decodeURIComponent(href!)).toMatch(/Moth Patrol 001\.cbz$/);
  const answer = await get(href!);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/vnd.comicbook+zip"]);
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
  expect(files).toEqual(Object.fromEntries([...pages].map(([page, bytes]) => [page, new Uint8Array(bytes)])));
  expect((await fetch(href!, { method: "HEAD", headers })).status).toBe(200);
  await rm(join(room.root, name), { recursive: true });
  expect((await get(href!)).status).toBe(404);
});
