import { SearchProviders, type SearchQuestion } from "@longbox/collection/contract";
import { definePlugin } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { openShelf, type Shelf } from "../support/shelf.js";

const oracle = { group: { id: "oracles", label: "Oracles" }, title: "Delphi", href: "/delphi", score: 500 };

/** A plugin that finds one thing, after it has noted what it was asked. */
function finding(asked: SearchQuestion[], isBroken = false) {
  return {
    manifest: {
      id: isBroken ? "broken" : "finding",
      title: "Finding",
      description: "",
      sdk: "^1.0.0",
      contributes: { searchProviders: "^1.0.0" },
    },
    plugin: definePlugin({
      activate: (_, context) =>
        void context.contribute(SearchProviders, {
          search: async (question) => {
            asked.push(question);
            if (isBroken) throw new Error("The oracle is out.");
            return [oracle, { ...oracle, score: 1 }];
          },
        }),
    }),
  };
}

async function find(shelf: Shelf, words: string, role = "viewer") {
  return (await shelf.host.as(role).get(`/api/search?q=${encodeURIComponent(words)}`)).body;
}

const titlesOf = (body: { items: ReadonlyArray<{ title: string }> }) => body.items.map(({ title }) => title);

describe("GET /api/search", () => {
  it("finds series and issues without any other plugin, titles that are what was typed first", async () => {
    await using shelf = await openShelf();
    const [amber] = await shelf.place(
      { series: "Amber Beacon" },
      { series: "Beacon Hill" },
      { series: "The Beacon", number: "12", ofIssue: { title: "Long Night" } },
    );
    expect(titlesOf(await find(shelf, "beacon"))).toEqual(["The Beacon", "Beacon Hill", "Amber Beacon"]);
    expect(titlesOf(await find(shelf, "long night"))).toEqual(["The Beacon #12"]);
    expect(titlesOf(await find(shelf, "beacon #12"))[0]).toBe("The Beacon #12");
    expect(titlesOf(await find(shelf, "#12"))).toEqual(["The Beacon #12"]);
    expect(await find(shelf, "  ")).toEqual({ items: [], partial: false });
    const sorted = await shelf.host.as("viewer").get("/api/collection?search=beacon&sort=best");
    expect(sorted.body.map(({ title }: { title: string }) => title)).toEqual([
      "The Beacon",
      "Beacon Hill",
      "Amber Beacon",
    ]);
    await shelf.host.as("admin").post(`/api/collection/${amber!.seriesId}/restricted`, { restricted: true });
    expect(titlesOf(await find(shelf, "amber"))).toEqual([]);
    expect(titlesOf(await find(shelf, "amber", "admin"))).toEqual(["Amber Beacon"]);
  });

  it("asks every plugin that finds something, shows each page once, and does without one that fails", async () => {
    const asked: SearchQuestion[] = [];
    await using shelf = await openShelf({ plugins: [finding(asked), finding(asked, true)] });
    await shelf.place({ series: "Delphi Lamp" });
    const body = await find(shelf, "The Délphi #3");
    expect(body).toMatchObject({ items: [oracle, { title: "Delphi Lamp" }], partial: true });
    expect(body.items).toHaveLength(2);
    const question = { text: "The Délphi #3", words: ["delphi"], number: "3", limit: 6 };
    expect(asked).toEqual([question, question]);
    const { status } = await shelf.host.as("viewer").get("/api/search?q=a&limit=0");
    expect(status).toBe(400);
  });
});
