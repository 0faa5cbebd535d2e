import { hash } from "node:crypto";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChromium } from "../../../test/browser/support/chromium.ts";
import { visit } from "../../../test/browser/support/visitor.ts";
import { EReader } from "./support/e-reader.js";

let host: KernelTestHost;
beforeAll(async () => {
  const plugins = ["imaging", "operations", "collection", "files", "reading", "kosync", "web"];
  host = await startKernelTestHost({ plugins, settings: { files: { watchFolders: false } } });
});
afterAll(() => host[Symbol.asyncDispose]());

const newPassword = async (role: string) => (await host.as(role).post("/api/kosync/password")).body;
const unauthorized = { status: 401, body: { code: 2001, message: "Unauthorized" } };

describe("signing in", () => {
  it("takes the name and the MD5 of the sync password, and nothing else", async () => {
    const made = await newPassword("viewer");
    expect(made).toMatchObject({ username: "viewer", password: expect.stringMatching(/^[a-z2-9]{16}$/), devices: [] });
    const reader = new EReader(host.url, made);
    expect(await reader.auth()).toMatchObject({ status: 200, body: { authorized: "OK" } });
    expect(await reader.call("GET", "/healthcheck")).toMatchObject({ status: 200, body: { state: "OK" } });
    const upper = { "x-auth-user": "VIEWER", "x-auth-key": hash("md5", made.password).toUpperCase() };
    expect((await reader.call("GET", "/users/auth", { headers: upper })).status).toBe(200);
    expect(await new EReader(host.url, { ...made, password: "wrong" }).auth()).toMatchObject(unauthorized);
    expect(await new EReader(host.url, { ...made, username: "admin" }).auth()).toMatchObject(unauthorized);
    const key = { "x-api-key": host.as("viewer").key!, "x-auth-key": "" };
    expect(await reader.call("GET", "/users/auth", { headers: key })).toMatchObject(unauthorized);
  });

  it("ends when the password is replaced or revoked", async () => {
    const first = new EReader(host.url, await newPassword("viewer"));
    const second = new EReader(host.url, await newPassword("viewer"));
    expect([(await first.auth()).status, (await second.auth()).status]).toEqual([401, 200]);
    const revoked = await host.as("viewer").delete("/api/kosync/password");
    expect(revoked.body).toEqual({ username: "viewer", madeAt: null, devices: [] });
    expect(await second.auth()).toMatchObject(unauthorized);
  });

  it("needs the permission", async () => {
    const admin = host.as("admin");
    const made = await newPassword("viewer");
    const { id } = (await host.as("viewer").get("/api/auth/me")).body.user;
    await admin.post("/api/roles", { name: "without-e-readers", permissions: ["library.view"] });
    await admin.patch(`/api/users/${id}`, { role: "without-e-readers" });
    expect(await new EReader(host.url, made).auth()).toMatchObject(unauthorized);
    expect((await host.as("viewer").get("/api/kosync/password")).status).toBe(403);
    await admin.patch(`/api/users/${id}`, { role: "viewer" });
    expect((await new EReader(host.url, made).auth()).status).toBe(200);
  });

  it("creates no accounts for devices, and tells KOReader why", async () => {
    const reader = new EReader(host.url, { username: "anyone", password: "x" });
    const asked = { username: "anyone", password: hash("md5", "x") };
    expect(await reader.call("POST", "/users/create", { body: asked })).toMatchObject({
      status: 402,
      body: { code: 2005, message: expect.stringContaining("account page") },
    });
    expect(await reader.call("POST", "/users/create", { body: { username: "" } })).toMatchObject({
      status: 403,
      body: { code: 2003 },
    });
  });
});

describe("hostile requests", () => {
  it("are refused with the protocol's codes, naming what is wrong", async () => {
    const reader = new EReader(host.url, await newPassword("trusted"));
    const good = { document: "0".repeat(32), progress: "1", percentage: 0.5, ...reader.device };
    const tried: Array<[unknown, number, number]> = [
      [{ ...good, document: undefined }, 403, 2004],
      [{ ...good, document: "../../etc/passwd" }, 403, 2004],
      [{ ...good, percentage: 7 }, 403, 2003],
      [{ ...good, percentage: "NaN" }, 403, 2003],
      [{ ...good, progress: "x".repeat(5000) }, 403, 2003],
      [{ ...good, device: 7 }, 403, 2003],
      [{ ...good, timestamp: -1 }, 403, 2003],
      [{ ...good, timestamp: 1e300 }, 403, 2003],
      ["{", 403, 2003],
      ["[]", 403, 2003],
      [`{"document":"${"x".repeat(100_000)}"}`, 413, 2003],
    ];
    const answers = [];
    for (const [body] of tried) {
      const { status, body: answer } = await reader.call("PUT", "/syncs/progress", { body });
      answers.push([status, answer.code, typeof answer.message]);
    }
    expect(answers).toEqual(tried.map(([, status, code]) => [status, code, "string"]));
    expect((await reader.pull("nothing")).status).toBe(403);
    expect((await reader.call("GET", "/nowhere")).status).toBe(404);
  });

  it("are throttled after wrong passwords", async () => {
    const guesser = new EReader(host.url, { username: "stranger", password: "guess" });
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess++) statuses.push((await guesser.auth()).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    const refused = await guesser.push("0".repeat(32), { progress: "1", percentage: 0.5 });
    expect([refused.status, refused.body.code]).toEqual([429, 2003]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

it("creates, replaces and revokes the password on the account page", async () => {
  await using browser = await startChromium();
  const headers = { "x-api-key": host.as("admin").key as string };
  const page = await visit(browser, host.url, { extraHTTPHeaders: headers });
  await page.goto("/account");
  await page.getByRole("heading", { name: "E-readers with KOReader" }).waitFor();
  await page.getByRole("button", { name: "Create a password" }).click();
  const password = await page.locator("kosync-account code").innerText();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.locator("kosync-account").getByRole("button", { name: "Copy" }).click();
  await page.getByText("The password was copied to the clipboard.").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(password);
  const reader = new EReader(host.url, { username: "admin", password });
  expect(await reader.auth()).toMatchObject({ status: 200 });
  await reader.push("a".repeat(32), { progress: "1", percentage: 0.5 });
  await page.reload();
  await page.getByText("Kobo_nova (A1B2C3D4)").waitFor();
  expect(await page.locator("kosync-account code").count()).toBe(0);
  await page.getByRole("button", { name: "Replace the password" }).click();
  await page.getByRole("button", { name: "Replace", exact: true }).click();
  await page.locator("kosync-account code").waitFor();
  expect((await reader.auth()).status).toBe(401);
  await page.locator("kosync-account").getByRole("button", { name: "Revoke it" }).click();
  await page.getByRole("button", { name: "Create a password" }).waitFor();
  expect((await host.as("admin").get("/api/kosync/password")).body.madeAt).toBeNull();
});
