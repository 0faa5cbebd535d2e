import { startTestHost } from "@longbox/sdk/testing";
import { describe, expect, it } from "vitest";
import { inked } from "../client/src/inks.js";

const publisher = (name: string, issues: number) => ({ publisher: name, issues, series: 2, files: issues, bytes: 10 });

it("brings its page to the web interface, for those who may see the library", async () => {
  await using host = await startTestHost({ plugins: ["stats"] });
  const [part] = (await host.as("admin").get("/api/plugins/client")).body;
  expect(part).toMatchObject({
    name: "stats",
    nav: [{ label: "Statistics", path: "/statistics", permission: "library.view" }],
    pages: [{ path: "/statistics", element: "stats-page" }],
  });
});

describe("the box", () => {
  it("prints six publishers in inks of their own, the others together, and last what has none", () => {
    const publishers = [
      ...Array.from({ length: 9 }, (_, index) => publisher(`Press ${index}`, 20 - index)),
      publisher("Owns nothing", 0),
    ];
    const rows = inked(publishers, 200);
    expect(rows.map(({ name, ink, issues }) => [name, ink, issues]).slice(5)).toEqual([
      ["Press 5", "ink-5", 15],
      ["3 more", "ink-others", 14 + 13 + 12],
      ["No publisher known", "ink-none", 200 - 144],
    ]);
    expect(rows.reduce((sum, { issues }) => sum + issues, 0)).toBe(200);
  });

  it("is empty while nothing is owned", () => {
    expect(inked([publisher("Owns nothing", 0)], 0)).toEqual([]);
  });
});
