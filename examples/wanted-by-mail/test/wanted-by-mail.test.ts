import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Catalog } from "@longbox/collection/contract";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { publishBuilt, startRegistry, type Registry } from "@longbox/registry";
import { systemViewer } from "@longbox/sdk";
import { comicEntries, zip } from "@longbox/test/fixtures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const folder = join(import.meta.dirname, "..");
const secret = "a secret of the mail server";

let data: string;
let root: string;
let registry: Registry;
let host: KernelTestHost;

const comic = async (number: string) => zip(await comicEntries({ series: "Moth Patrol", number, pages: 2 }));

async function mail(name: string, bytes: Uint8Array, headers: Record<string, string> = { "x-box-secret": secret }) {
  const answer = await fetch(`${host.url}/api/wanted-by-mail/files?name=${encodeURIComponent(name)}`, {
    method: "POST",
    headers: { "content-type": "application/octet-stream", ...headers },
    body: bytes as BodyInit,
  });
  return { status: answer.status, body: (await answer.json()) as any };
}

const saveBoxes = (boxes: readonly unknown[]) =>
  host.as("admin").post("/api/settings", { "wanted-by-mail": { boxes } });
const readBoxes = async () => (await host.as("admin").get("/api/settings")).body["wanted-by-mail"].boxes;
const wanted = async (role = "viewer") =>
  (await host.as(role).get("/api/wanted-by-mail/wanted")).body.map(({ name }: { name: string }) => name);
const arrived = async (role: string) =>
  (await host.as(role).get("/api/wanted-by-mail/arrivals")).body.map(({ name }: { name: string }) => name);
const filesInLibrary = async () => (await readdir(root, { recursive: true })).filter((name) => name.endsWith(".cbz"));
const leftovers = () => readdir(join(host.dataFolder, "plugins/data/wanted-by-mail/files/arriving")).catch(() => []);

/** The plugin runs alike in the server's process and in one of its own. */
const tiers: readonly (readonly [string, readonly string[]])[] = [
  ["in the server's process", []],
  ["isolated", ["wanted-by-mail"]],
];

for (const [tier, isolated] of tiers)
  describe(tier, () => {
    beforeAll(async () => {
      data = await mkdtemp(join(tmpdir(), "longbox-mail-"));
      root = join(data, "comics");
      await mkdir(root);
      registry = await startRegistry({ folder: join(data, "registry") });
      await publishBuilt(folder, registry);
      host = await startKernelTestHost({
        isolated,
        plugins: ["imaging", "operations", "collection", "files", "comics"],
        registry: registry.url,
        settings: { files: { watchFolders: false } },
      });
      const admin = host.as("admin");
      const installed = await admin.post("/api/plugins/install", { name: "@longbox/example-wanted-by-mail" });
      expect(installed).toMatchObject({ status: 200, body: { name: "wanted-by-mail", state: "active" } });
      await admin.post("/api/libraries", { name: "Comics", type: "comic", rootFolder: root });
      const issues = ["1", "2", "3", "12"].map((number) => ({ cvIssueId: 50_010 + Number(number), number }));
      const volume = { cvId: 5001, title: "Moth Patrol", publisher: "Lamplight", year: 2019, aliases: [] };
      await host.use(Catalog).addVolume({ ...volume, status: "ended", issues }, { viewer: systemViewer });
      expect((await saveBoxes([{ name: "Letters", user: "admin", secret }])).status).toBe(200);
    });
    afterAll(async () => {
      await host[Symbol.asyncDispose]();
      await registry[Symbol.asyncDispose]();
      await rm(data, { recursive: true, force: true });
    });

    describe("mail boxes", () => {
      it("are a list whose secrets are never shown again and are kept when something else changes", async () => {
        const [box] = await readBoxes();
        expect(box).toMatchObject({ name: "Letters", user: "admin", secret: "********" });
        expect((await saveBoxes([{ ...box, name: "Post" }])).status).toBe(200);
        expect((await mail("Unknown 1.cbz", await comic("1"))).status).toBe(404);
        expect((await saveBoxes([{ ...box, id: "made up" }])).status).toBe(400);
      });

      it("are tried before they are saved, with the saved secret where it is masked", async () => {
        const [box] = await readBoxes();
        const test = (entry: unknown, role = "admin") => host.as(role).post("/api/wanted-by-mail/test", entry);
        expect(await test(box)).toMatchObject({
          status: 200,
          body: { ok: true, message: "Files can arrive in this mail box." },
        });
        for (const [entry, message] of [
          [{ user: "admin", secret: "short" }, "The secret has fewer than 16 characters."],
          [{ user: "ghost", secret }, 'No active user "ghost" may manage the library.'],
          [{ user: "viewer", secret }, 'No active user "viewer" may manage the library.'],
        ] as const)
          expect(await test({ name: "New", ...entry })).toMatchObject({ status: 200, body: { ok: false, message } });
        expect((await test(box, "trusted")).status).toBe(403);
      });
    });

    describe("an attachment", () => {
      it("that is wanted comes into the library, and those who follow arrivals are told", async () => {
        expect(await wanted()).toEqual(["Moth Patrol #1", "Moth Patrol #2", "Moth Patrol #3", "Moth Patrol #12"]);
        const [trusted, viewer] = [await host.domains("trusted"), await host.domains("viewer")];
        const bytes = await comic("2");
        const taken = await mail("Moth Patrol 002 (2019) (Webrip).cbz", bytes);
        expect(taken).toMatchObject({ status: 200, body: { cvIssueId: 50_012, name: "Moth Patrol #2" } });
        await trusted.until("arrivals");
        expect(await filesInLibrary()).toEqual([expect.stringMatching(/Moth Patrol 002.*\.cbz$/)]);
        expect(await wanted()).toEqual(["Moth Patrol #1", "Moth Patrol #3", "Moth Patrol #12"]);
        expect(await arrived("trusted")).toEqual(["Moth Patrol #2"]);
        expect((await host.as("viewer").get("/api/wanted-by-mail/arrivals")).status).toBe(403);
        await viewer.until("collection");
        expect(viewer.heard).not.toContain("arrivals");
        await Promise.all([trusted.release(), viewer.release()]);
        // Sent again, it is not wanted any more.
        expect((await mail("Moth Patrol 002 (2019) (Webrip).cbz", bytes)).body.code).toBe("wanted-by-mail/not-wanted");
        expect(await leftovers()).toEqual([]);
      });

      it("is told from others by its whole number", async () => {
        expect((await mail("moth_patrol_012.cbz", await comic("12"))).body.name).toBe("Moth Patrol #12");
        expect(await wanted()).toEqual(["Moth Patrol #1", "Moth Patrol #3"]);
      });

      it("that is none of what is wanted, no comic, or has no proper name is refused, and nothing stays", async () => {
        const before = await filesInLibrary();
        const tried = [
          await mail("Other Series 003.cbz", await comic("3")),
          await mail("Moth Patrol 003.cbz", Buffer.from("not an archive at all")),
          await mail("../../Moth Patrol 003.cbz", await comic("3")),
          await mail("Moth Patrol 003", await comic("3")),
          await mail("Moth Patrol 003.cbz", new Uint8Array(0)),
        ];
        expect(tried.map(({ status }) => status)).toEqual([404, 400, 400, 400, 400]);
        expect(tried[2]!.body.details).toEqual({ name: expect.stringContaining("without folders") });
        expect(await filesInLibrary()).toEqual(before);
        expect(await leftovers()).toEqual([]);
        expect(await wanted()).toEqual(["Moth Patrol #1", "Moth Patrol #3"]);
      });

      it("larger than 64 MB is refused", async () => {
        expect((await mail("Moth Patrol 003.cbz", new Uint8Array(64 * 1024 * 1024 + 1))).status).toBe(413);
      });
    });

    describe("a mail server", () => {
      it("without the secret of a box gets nowhere, whatever else it has", async () => {
        const bytes = await comic("3");
        const admin = { "x-api-key": host.as("admin").key! };
        expect((await mail("Moth Patrol 003.cbz", bytes, {})).status).toBe(401);
        expect((await mail("Moth Patrol 003.cbz", bytes, { "x-box-secret": "" })).status).toBe(401);
        expect((await mail("Moth Patrol 003.cbz", bytes, { "x-box-secret": `${secret}!` })).status).toBe(401);
        expect((await mail("Moth Patrol 003.cbz", bytes, admin)).status).toBe(401);
      });

      it("acts with the rights that its box's user has now", async () => {
        const admin = host.as("admin");
        const permissions = ["library.view", "library.manage", "wanted-by-mail.follow"];
        await admin.post("/api/roles", { name: "porters", label: "Porters", permissions });
        const made = await admin.post("/api/users", { username: "porter", password: "correct horse", role: "porters" });
        const [box] = await readBoxes();
        await saveBoxes([box, { name: "Porter", user: "porter", secret: "the secret of the porter" }]);
        const headers = { "x-box-secret": "the secret of the porter" };
        const [{ id }] = (await admin.get("/api/collection")).body;
        await admin.post(`/api/collection/${id}/restricted`, { restricted: true });
        expect((await mail("Moth Patrol 003.cbz", await comic("3"), headers)).status).toBe(404);
        expect([await wanted("porters"), await arrived("porters")]).toEqual([[], []]);
        await admin.post(`/api/collection/${id}/restricted`, { restricted: false });
        await admin.patch(`/api/users/${made.body.id}`, { role: "viewer" });
        expect((await mail("Moth Patrol 003.cbz", await comic("3"), headers)).status).toBe(401);
        await admin.patch(`/api/users/${made.body.id}`, { role: "porters" });
        expect((await mail("Moth Patrol 003.cbz", await comic("3"), headers)).status).toBe(200);
      });
    });
  });
