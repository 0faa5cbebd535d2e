import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowsingDesk, standardFiles, type BrowsingDesk } from "./support/browsing-desk.js";

let desk: BrowsingDesk;
beforeAll(async () => {
  desk = await openBrowsingDesk();
  await desk.place(...standardFiles);
  await desk.built();
});
afterAll(() => desk[Symbol.asyncDispose]());

describe("items", () => {
  it("x", async () => {
    const out: unknown[] = [];
    const v = desk.host.as("viewer");
    const a = await v.get("/api/shelves/items?limit=2");
    out.push(a.body);
    for (const p of [
      "facets?author=ada%20quill",
      "status",
      "authors",
      "facets?nope=1",
      "items?sort=x",
      "items?author=%00",
      "because",
      "rebuild/status",
      "items?limit=121",
      "facet-list?limit=1",
      "items?q=moth",
    ])
      out.push(p, (await v.get("/api/shelves/" + p)).body);
    writeFileSync("/tmp/shelves.out", JSON.stringify(out, null, 1).replace(/\n {4,}/g, " "));
    expect(a.status).toBe(200);
  });
});
