import { readdir } from "node:fs/promises";
import { needs } from "@longbox/test/needs";
import { hasNzbget, hasSabnzbd, NzbgetProgram } from "@longbox/test/usenet";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { comic, until } from "../../downloads/test/support/download-desk.js";
import { leaksOf } from "./support/leaks.js";
import { cvIssueId, openUsenetDesk, startClient, type Clients } from "./support/usenet-desk.js";

const programs = [
  { kind: "nzbget", name: "NZBGet", isInstalled: hasNzbget },
  { kind: "sabnzbd", name: "SABnzbd", isInstalled: hasSabnzbd },
] as const;

describe.each(programs)("$name", ({ kind, name, isInstalled }) => {
  describe("the real program", needs(isInstalled, `${kind} is not installed`), () => {
    let clients: Clients;
    beforeAll(async () => {
      clients = await startClient(kind);
    });
    afterAll(() => clients?.[Symbol.asyncDispose]());
    beforeEach(() => {
      clients.news.delayMs = 0;
    });

    const open = () => openUsenetDesk({ client: clients.entry, plugins: ["reading", "reader"] });
    const post = async (number: string, title: string, pages = 12) =>
      clients.news.post({ [`${title}.cbz`]: await comic(number, pages), "read me.nfo": Buffer.from("read me") });

    it("downloads what was searched and taken, until a page of it can be read", async () => {
      await using desk = await open();
      const title = "Moth Patrol 003 (2019) (Digital)";
      const { nzb, articles } = await post("3", title, 40);
      expect(articles.length).toBeGreaterThan(2);
      desk.indexer.list("three", { title: title.replaceAll(" ", "."), nzb, size: 400_000 });
      const { body } = await desk.search("3");
      expect(body).toMatchObject([{ source: "News", accepted: true, pack: false, size: 400_000 }]);
      await desk.grab("3");
      await desk.owns("3");
      expect(await desk.filesInLibrary()).toEqual(["Moth Patrol (2019)/Moth Patrol 003 (2019).cbz"]);
      const admin = desk.host.as("admin");
      const { rows } = (await admin.get("/api/history")).body;
      expect(rows).toMatchObject([{ source: "News", number: "3", release: title.replaceAll(" ", ".") }]);
      const page = await admin.get(`/api/reader/issue/${cvIssueId("3")}/page/39`);
      expect(page.status).toBe(200);
      expect(page.headers.get("content-type")).toMatch(/^image\//);
      expect(await leaksOf(desk.host, [desk.indexer.apiKey, clients.secret])).toEqual([]);
      await until(async () => (await heldBy(clients)).length === 0);
      expect(await readdir(`${clients.program.completeFolder}/comics`)).toEqual([]);
    });

    it("misses articles: the release is blocklisted, removed there, and the next one taken", async () => {
      await using desk = await open();
      const bad = await post("4", "Moth Patrol 004 (2019)", 40);
      for (const id of bad.articles) clients.news.articles.delete(id);
      const good = await post("4", "Moth Patrol 004 Digital");
      desk.indexer.list("bad", { title: "Moth.Patrol.004.2019.Digital", nzb: bad.nzb });
      desk.indexer.list("good", { title: "Moth.Patrol.004.Digital-GROUP", nzb: good.nzb });
      await desk.grab("4");
      await desk.owns("4");
      const { rows } = (await desk.host.as("admin").get("/api/blacklist")).body;
      expect(rows).toMatchObject([{ source: "News", title: "Moth.Patrol.004.2019.Digital" }]);
      expect(rows[0].reason).toMatch(/^Parts of it are missing/);
      await until(async () => (await heldBy(clients)).length === 0);
    });

    it("is found again by the key after both were stopped, and gets nothing twice", async () => {
      await using desk = await open();
      const { nzb } = await post("5", "Moth Patrol 005 (2019)", 40);
      // Longer than both take to stop, so that the restart is in the middle of the download.
      clients.news.delayMs = 10_000;
      desk.indexer.list("five", { title: "Moth.Patrol.005.2019", nzb });
      await desk.grab("5");
      await until(async () => (await desk.item("5"))?.status === "grabbed" && (await heldBy(clients)).length === 1);
      await desk.host.restart();
      await clients.program.restart();
      clients.news.delayMs = 0;
      await desk.owns("5").catch(async (fault: Error) => {
        throw new Error(`${fault.message} ${JSON.stringify(await heldBy(clients))}`);
      });
      expect(desk.indexer.fetched).toBe(1);
      expect((await desk.host.as("admin").get("/api/history")).body.total).toBe(1);
    });

    it("is changed by a person: what was renamed is imported, what was removed is not taken again", async () => {
      await using desk = await open();
      clients.news.delayMs = 2_000;
      for (const number of ["6", "7"]) {
        const { nzb } = await post(number, `Moth Patrol 00${number} (2019)`);
        desk.indexer.list(number, { title: `Moth.Patrol.00${number}.2019.Digital-GROUP`, nzb });
        await desk.grab(number);
        await until(async () => (await idThere(clients, number)) !== undefined);
      }
      await rename(clients, (await idThere(clients, "6"))!, "Another name");
      await remove(clients, (await idThere(clients, "7"))!);
      clients.news.delayMs = 0;
      await desk.owns("6");
      const reason = kind === "nzbget" ? /DELETED\/MANUAL/ : /no longer knows the download/;
      await until(async () => reason.test((await desk.item("7"))?.error ?? ""));
    });

    it("is tested with values that are not saved, and the answer says what is wrong", async () => {
      await using desk = await open();
      const admin = desk.host.as("admin");
      const { clients: saved } = (await admin.get("/api/settings")).body["source-usenet"];
      const test = async (change: object) => (await admin.post("/api/clients/test", { ...saved[0], ...change })).body;
      expect(await test({})).toEqual({
        ok: true,
        message: `${name} answers, and its finished downloads can be read.`,
        version: expect.stringMatching(/^\d+\.\d+/),
      });
      const wrong = kind === "nzbget" ? { password: "wrong" } : { apiKey: "wrong" };
      expect(await test(wrong)).toMatchObject({ ok: false, message: expect.stringMatching(/refuses/) });
      expect(await test({ category: "films" })).toMatchObject({
        ok: false,
        message: expect.stringContaining('no category "films". It has comics'),
      });
      const mapped = { pathMap: [{ remote: clients.program.completeFolder, local: "/nowhere/at/all" }] };
      expect((await test(mapped)).message).toMatch(/mapped to \/nowhere\/at\/all.*does not exist/);
      expect(await test({ url: desk.indexer.url })).toMatchObject({ ok: false });
      expect((await test({ url: "http://127.0.0.1:1" })).message).toMatch(/cannot be reached/);
    });
  });
});

/** What the program itself names, queued or ended. */
async function heldBy({ program }: Clients): Promise<unknown[]> {
  if (program instanceof NzbgetProgram)
    return [...(await program.call("listgroups", 0)), ...(await program.call("history", false))];
  const { queue } = await program.call({ mode: "queue" });
  const { history } = await program.call({ mode: "history" });
  return [...queue.slots, ...history.slots];
}

/** The id of the download for this issue at the client. */
async function idThere({ program }: Clients, number: string): Promise<string | undefined> {
  const isIssue = (name: string) => name.includes(`00${number}`);
  if (program instanceof NzbgetProgram) {
    const groups: Array<{ NZBID: number; NZBName: string }> = await program.call("listgroups", 0);
    const found = groups.find(({ NZBName }) => isIssue(NZBName));
    return found && String(found.NZBID);
  }
  const { queue } = await program.call({ mode: "queue" });
  return queue.slots.find(({ filename }: { filename: string }) => isIssue(filename))?.nzo_id;
}

async function rename({ program }: Clients, id: string, name: string): Promise<void> {
  if (program instanceof NzbgetProgram) await program.call("editqueue", "GroupSetName", name, [Number(id)]);
  else await program.call({ mode: "queue", name: "rename", value: id, value2: name });
}

async function remove({ program }: Clients, id: string): Promise<void> {
  if (program instanceof NzbgetProgram) await program.call("editqueue", "GroupDelete", "", [Number(id)]);
  else await program.call({ mode: "queue", name: "delete", value: id, del_files: "1" });
}
