import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { definePlugin, defineRoute } from "@longbox/sdk";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { longText, startBookServer, type BookServer } from "../../examples/text-books/test/support/book-server.js";
import { startChromium } from "./support/chromium.ts";
import { saidBy } from "./support/said-by.ts";
import { visit } from "./support/visitor.ts";
import { z } from "zod";

/** The words of comics. A library that holds only books shows none of them. */
const comicWords = /#\d|\bissues?\b|\bcomics?\b|\d pages?\b/i;
let server: BookServer;
let browser: Browser;
let inbox: string;
let book: { readonly seriesId: number; readonly cvIssueId: number };

const text = (title: string, place: string) =>
  `Title: ${title}\nAuthor: Ada Quill\nSeries: ${place}\n\n${longText(2_000)}`;

/** What the actions of the plugin below were called with. */
const told: unknown[] = [];
const call = (body: Record<string, string>) => ({ path: "/api/deeds", body, done: "It was told." });
/** Adds an action to files and one to people. */
const deeds = {
  manifest: {
    id: "deeds",
    title: "Deeds",
    description: "Actions on what a page shows",
    sdk: "^1.0.0",
    client: {
      actions: [
        {
          id: "weigh",
          subjects: ["file"],
          label: "Weigh {name}",
          call: call({ file: "{name}", issue: "{cvIssueId}" }),
        },
        { id: "greet", subjects: ["person"], label: "Greet {name}", call: call({ person: "{name}", role: "{role}" }) },
      ],
    },
  },
  plugin: definePlugin({
    activate(_, context) {
      const body = z.record(z.string(), z.unknown());
      const handle = ({ body: deed }: { readonly body: unknown }) => ({ deeds: told.push(deed) });
      const response = z.object({ deeds: z.number() });
      context.routes([
        defineRoute({
          method: "POST",
          path: "/api/deeds",
          access: "library.view",
          summary: "Listens",
          body,
          response,
          handle,
        }),
      ]);
    },
  }),
};

beforeAll(async () => {
  inbox = await mkdtemp(join(tmpdir(), "longbox-text-inbox-"));
  await writeFile(join(inbox, "Dry Wells 2.txt"), text("The Lime Kiln", "Dry Wells #2"));
  [server, browser] = await Promise.all([
    startBookServer((root) => writeFile(join(root, "salt.txt"), text("The Salt Road", "Low Tides #2")), {
      published: false,
      plugins: ["lists", "stats", "comics", "reader", deeds],
    }),
    startChromium(),
  ]);
  const admin = server.host.as("admin");
  await admin.post("/api/settings", { files: { importFolder: inbox } });
  const [series] = (await admin.get("/api/collection?filter=text")).body;
  const [issue] = (await admin.get(`/api/collection/${series.id}`)).body.issues;
  book = { seriesId: series.id, cvIssueId: issue.cvIssueId };
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
  await rm(inbox, { recursive: true, force: true });
});

const open = async (path: string, locale = "en-US"): Promise<Page> => {
  const page = await visit(browser, server.host.url, {
    locale,
    extraHTTPHeaders: { "x-api-key": server.host.as("admin").key as string },
  });
  await page.goto(path);
  return page;
};
/** Without the frame, whose navigation names the pages of plugins of every type. */
const wordsOf = (page: Page) => saidBy(page.getByRole("main"));

it("names the books of a series, and what of it is monitored, by the words of their type", async () => {
  const page = await open(`/series/${book.seriesId}`);
  await page.getByRole("heading", { name: "1 book", exact: true }).waitFor();
  await page.getByText("The Salt Road").first().waitFor();
  await page.getByRole("button", { name: /monitor/i }).click();
  for (const name of ["Get every book", "Get new books only"]) await page.getByText(name, { exact: true }).waitFor();
  const words = await wordsOf(page);
  expect(words).toContain("The Salt Road");
  expect(words).not.toMatch(comicWords);
});

it("says the word of a type in the name of a work in the reader's language", async () => {
  const place = "book 2";
  const answer = (await server.host.as("admin").get(`/api/collection/${book.seriesId}`)).body;
  expect(answer.issues[0].label.within).toBe(`Low Tides, ${place}`);
  const page = await open(`/issue/${book.cvIssueId}`, "de");
  await page.getByText("Low Tides, Buch 2", { exact: true }).first().waitFor();
  expect(await page.getByText(place).count()).toBe(0);
});

it("shows no word of comics on the pages of all types: lists, gaps, statistics and reading", async () => {
  const made = await server.host.as("admin").post("/api/lists", { name: "By the sea", cvIssueIds: [book.cvIssueId] });
  const shown = [
    ["/", "Low Tides"],
    [`/lists/${made.body.id}`, "The Salt Road"],
    ["/lists", "1 item, all owned"],
    ["/wanted", "Nothing is wanted"],
    ["/statistics", "1 item"],
    ["/reading", "Nothing read yet"],
    ["/libraries", "Texts"],
  ] as const;
  for (const [path, there] of shown) {
    const page = await open(path);
    await page.getByText(there).first().waitFor();
    const words = await wordsOf(page);
    expect(words, path).toContain(there);
    expect(words, path).not.toMatch(comicWords);
  }
});

it("shows a file to be imported with its number in words that fit every type", async () => {
  const page = await open("/import");
  await page.getByText("Nothing to import").waitFor();
  expect(await wordsOf(page)).not.toMatch(comicWords);
  await server.host.as("admin").post("/api/import/scan");
  await page.reload();
  const card = page.getByRole("article", { name: /Dry Wells/ });
  await card.locator("summary").click();
  await card.getByText(/number 2/).waitFor();
  const words = await saidBy(card);
  expect(words).toContain("number 2");
  expect(words).not.toMatch(comicWords);
});

it("offers the actions that plugins add to a file and to a person", async () => {
  const page = await open(`/issue/${book.cvIssueId}`);
  await page.getByText("1 file").click();
  for (const [name, action] of [
    ["salt.txt", "Weigh salt.txt"],
    ["Ada Quill", "Greet Ada Quill"],
  ] as const) {
    await page.getByRole("button", { name: `More for ${name}` }).click();
    await page.getByRole("menuitem", { name: action }).click();
    await page.getByText("It was told.").last().waitFor();
  }
  await expect.poll(() => told.length).toBe(2);
  expect(told).toEqual([
    { file: "salt.txt", issue: book.cvIssueId },
    { person: "Ada Quill", role: "author" },
  ]);
});
