import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeComic } from "@longbox/test/fixtures";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startChromium } from "../../../../test/browser/support/chromium.ts";
import { visit } from "../../../../test/browser/support/visitor.ts";
import { startLibrary, type TestLibrary } from "../support/library.js";

let browser: Browser;

beforeAll(async () => {
  browser = await startChromium();
});

afterAll(() => browser.close());

const open = (library: TestLibrary, locale = "en-US") =>
  visit(browser, library.host.url, {
    locale,
    extraHTTPHeaders: { "x-api-key": library.host.as("admin").key as string },
  });

it("says in the user's language why a name is doubtful and why a file was ignored", async () => {
  await using library = await startLibrary({
    plugins: ["web"],
    async fill(root) {
      const folder = join(root, "Moth Patrol (2019)");
      for (const name of ["Moth Patrol 001", "Moth Patrol 002", "Moth Patrol 003", "Moth Patorl 004"])
        await writeComic(join(folder, `${name}.cbz`), { series: name, number: "1", pages: 1 });
      await writeFile(join(folder, "notes.txt"), "not a comic");
    },
  });
  await using page = await open(library, "de");
  await page.goto("/files/review");
  await page.getByText("„Moth Patorl“ ist fast Moth Patrol, wie die anderen im Ordner heißen").waitFor();
  await page.getByText("kein installiertes Plugin liest hier Dateien der Art txt").waitFor();
});

it("asks before moved files go back, with their number and where each would go", async () => {
  await using library = await startLibrary({
    plugins: ["web"],
    fill: (root) =>
      writeComic(join(root, "moths", "mp1.cbz"), {
        series: "Moth Patrol",
        number: "1",
        pages: 1,
        tags: { Series: "Moth Patrol", Number: "1", Volume: 2019 },
      }),
  });
  const admin = library.host.as("admin");
  const [series] = (await admin.get("/api/collection")).body;
  expect((await admin.post(`/api/collection/${series.id}/refile`, {})).body).toHaveProperty("batchId");
  const pathNow = async () => (await library.files())[0]!.path;
  const placed = await pathNow();
  expect(placed).not.toBe("moths/mp1.cbz");

  await using page = await open(library);
  await page.goto("/files/moves");
  const undo = page.getByRole("button", { name: /^Undo/ });
  await undo.click();
  const question = page.getByRole("dialog", { name: "Put 1 file back?" });
  await question.getByText(`All below ${library.root}/. Nothing is overwritten.`).waitFor();
  await question.getByText(`${placed} → moths/mp1.cbz`).waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "hidden" });
  expect(await pathNow()).toBe(placed);

  await undo.click();
  await question.getByRole("button", { name: "Move 1 file back" }).click();
  await page.getByText("1 file is back where it was.").waitFor();
  expect(await pathNow()).toBe("moths/mp1.cbz");
});
