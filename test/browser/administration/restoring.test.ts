// A new server takes over from one whose encrypted copy of a backup is at hand.
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { Browser, Page } from "playwright-core";
import { account } from "../support/account.ts";
import { startChromium } from "../support/chromium.ts";
import { startLongbox } from "../support/longbox.ts";
import { objections } from "../support/objections.ts";
import { soon } from "../support/soon.ts";

const passphrase = "six white moths at night";
let folder: string;
let browser: Browser;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longbox-restoring-"));
  await mkdir(join(folder, "copies"));
  browser = await startChromium();
});

afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

/** A server with an account and a setting that leaves an encrypted copy, and ends. @returns the path of the copy */
async function leaveCopy(): Promise<string> {
  await using old = await startLongbox({ LONGBOX_DATA: join(folder, "old") });
  const ask = async (path: string, body?: unknown, key = ""): Promise<any> => {
    const answer = await fetch(old.url + path, {
      headers: { "content-type": "application/json", ...(key && { "X-Api-Key": key }) },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
    expect(answer.ok, `${path}: ${answer.status}`).toBe(true);
    return answer.json();
  };
  const settings = { copyTo: "folder", copyFolder: join(folder, "copies"), copyPassphrase: passphrase };
  await ask("/api/settings", { operations: settings, backup: { keep: 5 } });
  const { jobId } = await ask("/api/tools/backup", {});
  await soon(async () => (await ask(`/api/jobs/${jobId}`)).state).toBe("done");
  await ask("/api/auth/register", account);
  const key = await ownKey(old.url);
  const again = await ask("/api/tools/backup", {}, key);
  await soon(async () => (await ask(`/api/jobs/${again.jobId}`, undefined, key)).state).toBe("done");
  const copies = (await readdir(join(folder, "copies"))).sort();
  expect(copies).toHaveLength(2);
  return join(folder, "copies", copies[1]!);
}

async function ownKey(url: string): Promise<string> {
  const headers = { "content-type": "application/json", Origin: url };
  const session = await fetch(`${url}/api/auth/login`, { method: "POST", headers, body: JSON.stringify(account) });
  const cookie = session.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  const made = await fetch(`${url}/api/auth/apikey`, { method: "POST", headers: { Origin: url, cookie } });
  return ((await made.json()) as { key: string }).key;
}

/** A window that is allowed to lose its connection, since the server restarts. */
async function open(url: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, reducedMotion: "reduce" });
  context.setDefaultTimeout(60_000);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto("/");
  return page;
}

it("restores an encrypted copy on the first page, and lets its accounts sign in", async () => {
  const copy = await leaveCopy();
  await using longbox = await startLongbox();
  const page = await open(longbox.url);
  await page.getByText("Or restore a backup of another server").click();
  await page.getByLabel("Backup", { exact: true }).setInputFiles(copy);
  const restore = page.getByRole("button", { name: "Restore it" });
  await restore.click();
  await page.getByText("its passphrase is needed").first().waitFor();
  expect(await objections(page)).toEqual([]);
  await page.getByLabel("Passphrase").fill("five white moths");
  await restore.click();
  await page.getByText("cannot be decrypted with this passphrase").waitFor();
  if (process.env["LONGBOX_PICTURES"])
    await page.screenshot({ path: join(process.env["LONGBOX_PICTURES"], "restore.png") });
  await page.getByLabel("Passphrase").fill(passphrase);
  await restore.click();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  await page.getByLabel("Name").fill(account.username);
  await page.getByLabel("Password").fill(account.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await soon(async () => (await (await page.request.get("/api/auth/me")).json()).user?.username).toBe(account.username);
  expect((await (await page.request.get("/api/settings")).json()).backup.keep).toBe(5);
});
