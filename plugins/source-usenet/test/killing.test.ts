import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom, seedOf } from "@longbox/test/fixtures";
import { needs, runsLongTests } from "@longbox/test/needs";
import { hasNzbget, NewznabServer, type NzbgetProgram } from "@longbox/test/usenet";
import { expect, it } from "vitest";
import { comic, openDownloadDesk, until } from "../../downloads/test/support/download-desk.js";
import { startClient, type Clients } from "./support/usenet-desk.js";

const kills = runsLongTests ? 60 : 2;
const numbers = ["1", "2", "3", "4", "5", "6"];

/** Lets a server run until so long after it said that it runs. */
async function runAndKill(parameters: readonly string[], afterMs: number): Promise<void> {
  const program = join(import.meta.dirname, "support/usenet-child.ts");
  const child = spawn(process.execPath, [program, ...parameters], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), ended]);
  expect(child.exitCode).toBeNull();
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill("SIGKILL");
  await ended;
}

async function offerAll(indexer: NewznabServer, { news }: Clients): Promise<void> {
  news.delayMs = 400;
  for (const number of numbers) {
    const title = `Moth Patrol ${number.padStart(3, "0")} (2019)`;
    const { nzb } = news.post({ [`${title}.cbz`]: await comic(number, 20) });
    indexer.list(number, { title: `${title.replaceAll(" ", ".")}.Digital-GROUP`, nzb });
  }
}

it(
  "finds its downloads at the client again when it is killed: none is lost, added twice, or left behind",
  { timeout: runsLongTests ? 3_600_000 : 900_000, ...needs(hasNzbget, "nzbget is not installed") },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "longbox-usenet-kill-"));
    await using clients = await startClient("nzbget");
    await using indexer = await NewznabServer.start();
    const random = seededRandom(runsLongTests ? Date.now() : seedOf("usenet is killed"));
    const program = clients.program as NzbgetProgram;
    const held = async () => [...(await program.call("listgroups", 0)), ...(await program.call("history", false))];
    try {
      await offerAll(indexer, clients);
      const [dataFolder, root] = [join(folder, "data"), join(folder, "library")];
      const entry = { name: "News", url: indexer.url, apiKey: indexer.apiKey };
      const settings = { indexers: [entry], clients: [clients.entry] };
      for (let kill = 0; kill < kills; kill += 1)
        await runAndKill([dataFolder, root, JSON.stringify(settings), ...numbers], random.between(0, 2_500));
      clients.news.delayMs = 0;
      await using desk = await openDownloadDesk({
        dataFolder,
        root,
        storage: "sqlite",
        plugins: ["source-usenet"],
        settings: { "source-usenet": settings },
      });
      await desk.owns(...numbers);
      expect((await desk.host.as("admin").get("/api/history")).body.total).toBe(numbers.length);
      expect(await desk.filesInLibrary()).toHaveLength(numbers.length);
      expect((await desk.host.as("admin").get("/api/blacklist")).body.total).toBe(0);
      await until(async () => (await held()).length === 0, 60);
      // NZBGet counts what it is given.
      const { nzb } = clients.news.post({ "last.cbz": new Uint8Array(1_000) });
      const content = Buffer.from(nzb).toString("base64");
      const next = await program.call("append", "last.nzb", content, "", 0, false, true, "", 0, "FORCE", []);
      expect(next).toBe(numbers.length + 1);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
