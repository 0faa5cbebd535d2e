import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { openBooksAt, until } from "./support/book-room.ts";
import { StandIn } from "./support/stand-in.ts";

const count = 8;

it("books are looked up to the end after kills, each described once, and nothing is asked again that was answered", async () => {
  await using standIn = await StandIn.start();
  const folder = await mkdtemp(join(tmpdir(), "longbox-kill-"));
  await using _ = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
  standIn.authors.set("OL1A", "Ada Quill");
  for (let index = 0; index < count; index += 1)
    standIn.add({
      id: `OL${index + 1}W`,
      title: `Tide ${index}`,
      authors: ["OL1A"],
      description: "Salt.",
      editions: [{ id: `OL${index + 1}M`, language: ["eng"] }],
    });
  const [dataFolder, root] = [join(folder, "data"), join(folder, "books")];
  for (const asked of [4, 9]) await lookUpUntilKilled({ standIn, dataFolder, root }, asked);
  const settings = { "open-library": standIn.settings };
  const { host } = await openBooksAt(root, { dataFolder, storage: "sqlite", settings });
  await using __ = host;
  const admin = host.as("admin");
  await until(async () => {
    const jobs = (await admin.get("/api/jobs")).body as Array<{ kind: string; state: string }>;
    return jobs.some(({ kind, state }) => kind === "open-library.sync" && state === "done");
  });
  const { issues } = (await admin.get("/api/collection/1")).body;
  expect(issues).toHaveLength(count);
  for (const { cvIssueId } of issues) {
    const book = (await admin.get(`/api/open-library/books/${cvIssueId}`)).body;
    expect(book).toMatchObject({ state: "matched" });
    const { body } = await admin.get(`/api/issue/${cvIssueId}`);
    expect(body).toMatchObject({ description: "<p>Salt.</p>", credits: [{ name: "Ada Quill", role: "author" }] });
  }
  // What a kill cut off is asked again, once for each kill.
  expect(standIn.asked.length - new Set(standIn.asked).size).toBeLessThanOrEqual(2);
}, 120_000);

/** Runs a server that looks books up, and kills it once Open Library has been asked so many questions in all. */
async function lookUpUntilKilled(
  { standIn, dataFolder, root }: { readonly standIn: StandIn; readonly dataFolder: string; readonly root: string },
  asked: number,
): Promise<void> {
  const program = join(import.meta.dirname, "support/looking-child.ts");
  const parameters = [program, dataFolder, root, JSON.stringify(standIn.settings), String(count)];
  const child = spawn(process.execPath, parameters, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  standIn.slowly(50, () => {
    if (standIn.asked.length >= asked) child.kill("SIGKILL");
  });
  for await (const line of createInterface({ input: child.stdout })) void line;
  await ended;
  standIn.always(undefined);
}
