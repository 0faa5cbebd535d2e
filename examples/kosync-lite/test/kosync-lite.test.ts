import { hash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { publishBuilt, startRegistry, type Registry } from "@longbox/registry";
import { writeLibrary } from "@longbox/test/fixtures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChromium } from "../../../test/browser/support/chromium.ts";
import { visit } from "../../../test/browser/support/visitor.ts";

const folder = join(import.meta.dirname, "..");
const textBooks = join(import.meta.dirname, "../../text-books");

let data: string;
let registry: Registry;
let host: KernelTestHost;
let comic: string;
let book: string;

/** An e-reader: it sends what KOReader sends. */
class Reader {
  constructor(
    private readonly user: string,
    private readonly password: string,
    readonly device = { device: "Kobo_nova", device_id: "A1B2C3D4E5F60718" },
  ) {}

  get #headers(): Record<string, string> {
    return {
      accept: "application/vnd.koreader.v1+json",
      "x-auth-user": this.user,
      "x-auth-key": hash("md5", this.password),
    };
  }

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const answer = await fetch(`${host.url}/kosync-lite${path}`, {
      method,
      headers: {
        ...this.#headers,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: (text === "" ? undefined : JSON.parse(text)) as any,
    };
  }

  auth = () => this.call("GET", "/users/auth");
  pull = (document: string) => this.call("GET", `/syncs/progress/${document}`);
  push = (document: string, progress: string | number, percentage: number) =>
    this.call("PUT", "/syncs/progress", { document, progress, percentage, ...this.device });
}

/** KOReader's id of a file: the MD5 of a kilobyte at 0 and at each power of four kilobytes. */
async function partialMd5(path: string): Promise<string> {
  const bytes = await readFile(path);
  const starts = [0, ...Array.from({ length: 11 }, (_, index) => 1024 * 4 ** index)];
  const samples = starts.filter((start) => start < bytes.length).map((start) => bytes.subarray(start, start + 1024));
  return hash("md5", Buffer.concat(samples));
}

async function newReader(role: string, device?: Reader["device"]): Promise<Reader> {
  const made = await host.as(role).post("/api/kosync-lite/password");
  return new Reader(made.body.username, made.body.password, device);
}

async function addLibrary(name: string, type: string, rootFolder: string): Promise<void> {
  const admin = host.as("admin");
  const { startedAt } = (await admin.get("/api/scan-folder")).body;
  await admin.post("/api/libraries", { name, type, rootFolder });
  for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
    const { running, startedAt: begun } = (await admin.get("/api/scan-folder")).body;
    if (!running && begun !== undefined && begun !== startedAt) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("The scan did not end in a minute.");
}

async function progressOf(role: string, title: string) {
  const client = host.as(role);
  const series = (await client.get("/api/collection")).body as Array<{ id: number; title: string }>;
  const { issues } = (await client.get(`/api/collection/${series.find((row) => row.title === title)!.id}`)).body;
  const { items } = (await client.post("/api/reading/badges", { kind: "issue", ids: [issues[0].id] })).body;
  return { id: issues[0].id as number, badges: items[0].badges };
}

/** The plugin runs alike in the server's process and in one of its own. */
const tiers: readonly (readonly [string, readonly string[]])[] = [
  ["in the server's process", []],
  ["isolated", ["kosync-lite"]],
];

for (const [tier, isolated] of tiers)
  describe(tier, () => {
    beforeAll(async () => {
      data = await mkdtemp(join(tmpdir(), "longbox-kosync-"));
      registry = await startRegistry({ folder: join(data, "registry") });
      await publishBuilt(folder, registry);
      const linked = ["imaging", "operations", "collection", "files", "comics", "reading", "web", textBooks];
      host = await startKernelTestHost({
        isolated,
        plugins: linked,
        registry: registry.url,
        settings: { files: { watchFolders: false } },
        allowUnknownFields: true,
      });
      const installed = await host.as("admin").post("/api/plugins/install", { name: "@longbox/example-kosync-lite" });
      expect(installed).toMatchObject({ status: 200, body: { name: "kosync-lite", state: "active" } });
      const comics = join(data, "comics");
      [comic = ""] = await writeLibrary(comics, [{ title: "Moth Patrol", year: 2019, issues: ["1"], pages: 8 }]);
      const texts = join(data, "texts");
      await mkdir(texts);
      book = join(texts, "The Salt Road.txt");
      await writeFile(book, "Title: The Salt Road\n\nThe tide came in.\n".repeat(500));
      await addLibrary("Comics", "comic", comics);
      await addLibrary("Texts", "text", texts);
    });
    afterAll(async () => {
      await host[Symbol.asyncDispose]();
      await registry[Symbol.asyncDispose]();
      await rm(data, { recursive: true, force: true });
    });

    describe("signing in", () => {
      it("takes the password for e-readers alone, in the words of the protocol", async () => {
        const reader = await newReader("viewer");
        expect(await reader.auth()).toMatchObject({ status: 200, body: { authorized: "OK" } });
        expect(await reader.call("GET", "/healthcheck")).toMatchObject({ status: 200, body: { state: "OK" } });
        const wrong = new Reader("viewer", "wrong");
        const unauthorized = { status: 401, body: { code: 2001, message: "Unauthorized" } };
        expect(await wrong.auth()).toMatchObject(unauthorized);
        const otherName = new Reader(
          "admin",
          (await host.as("viewer").post("/api/kosync-lite/password")).body.password,
        );
        expect(await otherName.auth()).toMatchObject(unauthorized);
        // The key of the API, and an earlier password, do not count here.
        expect(await reader.auth()).toMatchObject(unauthorized);
        const key = { "x-api-key": host.as("viewer").key!, "x-auth-key": "" };
        expect(await reader.call("GET", "/users/auth", undefined, key)).toMatchObject(unauthorized);
      });

      it("makes no accounts for devices, and says so", async () => {
        const reader = new Reader("anybody", "x");
        const asked = { username: "anybody", password: hash("md5", "x") };
        expect(await reader.call("POST", "/users/create", asked)).toMatchObject({
          status: 402,
          body: { code: 2005, message: expect.stringContaining("account's page") },
        });
        expect(await reader.call("POST", "/users/create", { username: "" })).toMatchObject({
          status: 403,
          body: { code: 2003 },
        });
      });

      it("refuses at once when the password is removed", async () => {
        const reader = await newReader("viewer");
        expect((await reader.auth()).status).toBe(200);
        expect((await host.as("viewer").delete("/api/kosync-lite/password")).body).toEqual({
          username: "viewer",
          madeAt: null,
        });
        expect((await reader.auth()).status).toBe(401);
      });
    });

    describe("a place in a comic", () => {
      it("goes from an e-reader to the server, to another e-reader, and back from other programs", async () => {
        const kobo = await newReader("viewer");
        const document = await partialMd5(comic);
        expect(await kobo.pull(document)).toMatchObject({ status: 200, body: {} });
        const before = Math.floor(Date.now() / 1000);
        const pushed = await kobo.push(document, "3", 0.375);
        expect(pushed).toMatchObject({ status: 200, body: { document } });
        expect(pushed.body.timestamp).toBeGreaterThanOrEqual(before);
        expect((await progressOf("viewer", "Moth Patrol")).badges).toMatchObject([{ kind: "progress", value: 0.375 }]);
        expect((await kobo.pull(document)).body).toEqual({
          document,
          progress: "3",
          percentage: 0.375,
          ...kobo.device,
          timestamp: pushed.body.timestamp,
        });

        const { password } = (await host.as("viewer").post("/api/kosync-lite/password")).body;
        const phone = new Reader("viewer", password, { device: "Pixel", device_id: "FFFF000011112222" });
        expect((await phone.pull(document)).body).toMatchObject({ progress: "3", ...kobo.device });
        await phone.push(document, 5, 0.625);
        // An e-reader that is behind does not turn the others back.
        const late = new Reader("viewer", password);
        await late.push(document, "4", 0.5);
        expect((await late.pull(document)).body).toMatchObject({ progress: "5", percentage: 0.625 });

        const { id } = await progressOf("viewer", "Moth Patrol");
        await host.as("viewer").post("/api/reading/mark", { issueIds: [id], read: false });
        expect((await phone.pull(document)).body).toEqual({});
        expect((await phone.call("GET", `/syncs/progress/${document.toUpperCase()}`)).status).toBe(200);
      });

      it("is one user's own", async () => {
        const [one, other] = [await newReader("trusted"), await newReader("admin")];
        const document = await partialMd5(comic);
        await one.push(document, "2", 0.25);
        expect((await other.pull(document)).body).toEqual({});
      });

      it("is found by the file's name, too", async () => {
        const reader = await newReader("viewer");
        await reader.push(hash("md5", basename(comic)), "8", 1);
        expect((await progressOf("viewer", "Moth Patrol")).badges).toMatchObject([{ kind: "tick" }]);
        expect((await reader.pull(await partialMd5(comic))).body).toMatchObject({ progress: "8", percentage: 1 });
      });
    });

    describe("a place in a text", () => {
      it("is kept as the e-reader names it, and moves on with other programs only where it can be found", async () => {
        const reader = await newReader("viewer");
        const document = await partialMd5(book);
        const place = "/body/DocFragment[1]/body/p[22]/text().14";
        await reader.push(document, place, 0.2);
        expect((await reader.pull(document)).body).toMatchObject({ progress: place, percentage: 0.2 });
        const { id } = await progressOf("viewer", "The Salt Road");
        const opened = (await host.as("viewer").get(`/api/text-books/${-id}`)).body;
        expect(opened.fraction).toBe(0.2);
      });
    });

    describe("a document that the library does not have", () => {
      it("is synchronised among e-readers all the same, and adopted once its file is there", async () => {
        const reader = await newReader("viewer");
        const later = join(data, "later");
        await mkdir(later);
        const path = join(later, "Late Arrival.txt");
        await writeFile(path, "Title: Late Arrival\n\nAt last.\n".repeat(300));
        const document = await partialMd5(path);
        await reader.push(document, "/body/p[3]", 0.4);
        expect((await reader.pull(document)).body).toMatchObject({ progress: "/body/p[3]", ...reader.device });
        await addLibrary("Later", "text", later);
        expect((await reader.pull(document)).body).toMatchObject({ progress: "/body/p[3]", percentage: 0.4 });
        expect((await progressOf("viewer", "Late Arrival")).badges).toMatchObject([{ kind: "progress", value: 0.4 }]);
      });

      it("is no way to learn of what is restricted", async () => {
        const reader = await newReader("viewer");
        const admin = host.as("admin");
        const document = await partialMd5(comic);
        const { libraries } = (await admin.get("/api/libraries")).body as {
          libraries: Array<{ id: number; type: string }>;
        };
        const { id } = libraries.find(({ type }) => type === "comic")!;
        await admin.post(`/api/libraries/${id}`, { restricted: true });
        // As of a document that the library does not have, only what e-readers said is known.
        expect(await reader.push(document, "1", 0.125)).toMatchObject({ status: 200 });
        expect((await reader.pull(document)).body).toMatchObject({ progress: "1", ...reader.device });
        await admin.post(`/api/libraries/${id}`, { restricted: false });
      });
    });

    describe("hostile requests", () => {
      it("are refused in the words of the protocol, naming what is wrong", async () => {
        const reader = await newReader("viewer");
        const good = { document: "0".repeat(32), progress: "1", percentage: 0.5, ...reader.device };
        const tried: Array<[unknown, number, number]> = [
          [{ ...good, document: undefined }, 403, 2004],
          [{ ...good, document: "../../etc/passwd" }, 403, 2004],
          [{ ...good, percentage: 7 }, 403, 2003],
          [{ ...good, percentage: "NaN" }, 403, 2003],
          [{ ...good, progress: "x".repeat(5000) }, 403, 2003],
          [{ ...good, device: 7 }, 403, 2003],
          ["{", 403, 2003],
          ["[]", 403, 2003],
          [`{"document":"${"x".repeat(100_000)}"}`, 413, 2003],
        ];
        const answers = [];
        for (const [body] of tried) {
          const { status, body: answer } = await reader.call("PUT", "/syncs/progress", body);
          answers.push([status, answer.code, typeof answer.message]);
        }
        expect(answers).toEqual(tried.map(([, status, code]) => [status, code, "string"]));
        expect((await reader.pull("nothing")).status).toBe(403);
        expect((await reader.call("GET", "/nowhere")).status).toBe(404);
      });

      it("slows down who guesses, before anything else is looked at", async () => {
        const guesser = new Reader("stranger", "guess");
        const statuses: number[] = [];
        for (let guess = 0; guess < 12; guess++) statuses.push((await guesser.auth()).status);
        expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
        const refused = await guesser.push("0".repeat(32), "1", 0.5);
        expect([refused.status, refused.body.code, Number(refused.headers.get("retry-after")) > 0]).toEqual([
          429,
          2003,
          true,
        ]);
      });
    });

    it("makes the password on the account page", async () => {
      const browser = await startChromium();
      try {
        const page = await visit(browser, host.url, {
          extraHTTPHeaders: { "x-api-key": host.as("admin").key as string },
        });
        await page.goto("/account");
        await page.getByRole("heading", { name: "E-readers" }).waitFor();
        await page.getByRole("button", { name: /^Make a (new )?password$/ }).click();
        const says = await page.getByText("The password, shown only now:").innerText();
        const password = says.split(": ")[1]!;
        expect(await new Reader("admin", password).auth()).toMatchObject({ status: 200 });
        if (process.env["LONGBOX_PICTURES"])
          await page.screenshot({ path: join(process.env["LONGBOX_PICTURES"], "kosync-lite.png"), fullPage: true });
      } finally {
        await browser.close();
      }
    });
  });
