import { startKernelTestHost } from "@longbox/kernel/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChromium } from "../../../test/browser/support/chromium.ts";
import { visit } from "../../../test/browser/support/visitor.ts";
import { openKoboDesk, type KoboDesk } from "./support/kobo-desk.ts";
import { Kobo } from "./support/kobo.ts";

let desk: KoboDesk;
beforeAll(async () => {
  desk = await openKoboDesk({ plugins: ["web"] });
  for (const role of ["viewer", "trusted"]) await desk.choose(role, "all");
});
afterAll(() => desk[Symbol.asyncDispose]());

const statusOf = async (kobo: Kobo, path = "/v1/library/sync") => (await kobo.call("GET", path)).status;

describe("an address", () => {
  it("is the login, until it is revoked", async () => {
    const viewer = desk.room.host.as("viewer");
    const [first, second] = [await desk.kobo("viewer", "Clara"), await desk.kobo("viewer", "Libra")];
    await first.sync();
    const { devices } = (await viewer.get("/api/kobo")).body;
    expect(devices).toMatchObject([
      { name: "Libra", lastAt: null },
      { name: "Clara", lastAt: expect.any(String) },
    ]);
    await viewer.delete(`/api/kobo/devices/${devices[1].id}`);
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
    expect(await statusOf(first, "/v1/anything")).toBe(401);
    const foreign = await desk.room.host.as("trusted").delete(`/api/kobo/devices/${devices[0].id}`);
    expect(foreign).toMatchObject({ status: 404, body: { code: "kobo/no-such-device" } });
  });

  it("does not stand in the log", async () => {
    const kobo = await desk.kobo("viewer");
    await kobo.start();
    await kobo.sync();
    await kobo.call("GET", "/v1/library/nothing/metadata");
    const secret = kobo.endpoint.split("/").at(-1)!;
    const lines = JSON.stringify((await desk.room.host.as("admin").get("/api/logs?level=debug&limit=500")).body);
    expect(lines).not.toContain(secret);
  });

  it("needs the permission, and ends with the account", async () => {
    const admin = desk.room.host.as("admin");
    const made = (await admin.post("/api/users", { username: "ada", password: "longbox123", role: "viewer" })).body;
    const signedIn = await desk.room.host
      .as("anonymous")
      .post("/api/auth/login", { username: "ada", password: "longbox123" });
    const headers = { cookie: signedIn.headers.get("set-cookie")!.split(";")[0]!, origin: desk.room.host.url };
    const { path } = (await desk.room.host.as("anonymous").post("/api/kobo/devices", { name: "Clara" }, headers)).body;
    const kobo = new Kobo(desk.room.host.url + path);
    expect(await statusOf(kobo)).toBe(200);
    await admin.post("/api/roles", { name: "without-kobo", permissions: ["library.view"] });
    await admin.patch(`/api/users/${made.id}`, { role: "without-kobo" });
    expect(await statusOf(kobo)).toBe(403);
    await admin.patch(`/api/users/${made.id}`, { role: "viewer" });
    expect(await statusOf(kobo)).toBe(200);
    await admin.delete(`/api/users/${made.id}`);
    expect(await statusOf(kobo)).toBe(401);
  });

  it("is not found by guessing", async () => {
    const plugins = ["imaging", "operations", "collection", "files", "reading", "kobo"];
    await using host = await startKernelTestHost({ plugins });
    const statuses: number[] = [];
    for (let guess = 0; guess < 42; guess++) statuses.push(await statusOf(new Kobo(`${host.url}/kobo/guess-${guess}`)));
    expect(statuses).toEqual([...Array(40).fill(401), 429, 429]);
  });
});

describe("what is hidden from a user", () => {
  it("is removed from the e-reader without a word about it, and refused", async () => {
    const kobo = await desk.kobo("viewer");
    await kobo.sync();
    const id = kobo.idOf("The Salt Road");
    const { seriesId } = Object.values(await desk.room.rows()).find(({ label }) => label.full.includes("Salt"))!;
    await desk.room.host.as("admin").post(`/api/collection/${seriesId}/restricted`, { restricted: true });
    try {
      const { items } = await kobo.ask();
      expect(JSON.stringify(items)).not.toContain("Salt");
      expect(await kobo.sync()).toContain(`Removed ${id}`);
      const image = `/v1/books/${id}/thumbnail/100/100/false/image.jpg`;
      const refused = [`/v1/library/${id}/metadata`, `/v1/library/${id}/state`, `/v1/books/${id}/file`, image];
      expect(await Promise.all(refused.map((path) => statusOf(kobo, path)))).toEqual(refused.map(() => 404));
      expect((await kobo.read(id, 30)).status).toBe(404);
      const { body } = await (await desk.kobo("trusted")).call("GET", "/v1/library/sync");
      expect(JSON.stringify(body)).toContain("Salt");
    } finally {
      await desk.room.host.as("admin").post(`/api/collection/${seriesId}/restricted`, { restricted: false });
    }
  });
});

describe("requests for the shop", () => {
  it("get empty answers, and tokens that are good for nothing", async () => {
    const kobo = await desk.kobo("viewer");
    const asked = [
      ["GET", "/v1/user/profile"],
      ["GET", "/v1/user/wishlist?PageIndex=0"],
      ["POST", "/v1/analytics/event"],
      ["POST", "/v1/library/tags"],
      ["GET", "/v1/products/books/1/nextread"],
      ["PUT", "/v1/anything/at/all"],
      ["DELETE", "/v1/library/tags/1"],
    ] as const;
    for (const [method, path] of asked) {
      const { status, body } = await kobo.call(method, path, method === "POST" ? { body: { a: 1 } } : {});
      expect([method, path, status, body]).toEqual([method, path, 200, {}]);
    }
    const tokens = await kobo.call("POST", "/v1/auth/refresh", { body: { AppVersion: "4", UserKey: "u" } });
    expect(tokens.body).toMatchObject({ TokenType: "Bearer", UserKey: "u", AccessToken: expect.any(String) });
  });
});

describe("hostile requests", () => {
  it("are refused, or change nothing", async () => {
    const kobo = await desk.kobo("viewer");
    await kobo.sync();
    const id = kobo.idOf("Low Tide");
    const put = async (body: unknown) => (await kobo.call("PUT", `/v1/library/${id}/state`, { body })).status;
    const state = (more: object) => ({ ReadingStates: [{ EntitlementId: id, ...more }] });
    expect([
      await put("{"),
      await put([]),
      await put({ ReadingStates: [] }),
      await put(state({ CurrentBookmark: { ProgressPercent: 1e9 } })),
      await put(state({ CurrentBookmark: { ProgressPercent: "50" } })),
      await put(state({ CurrentBookmark: { Location: { Value: "x".repeat(5000) } } })),
      await put(state({ StatusInfo: { Status: "Eaten" } })),
      await put(`{"ReadingStates":["${"x".repeat(100_000)}"]}`),
    ]).toEqual([400, 400, 400, 400, 400, 400, 400, 413]);
    const ids = ["1", "../../etc/passwd", "0".repeat(36), id.replace(/.{12}$/, "f".repeat(12)), "x".repeat(90)];
    const paths = ids.map((one) => `/v1/library/${encodeURIComponent(one)}/state`);
    expect(await Promise.all(paths.map((path) => statusOf(kobo, path)))).toEqual(ids.map(() => 404));
    const forged = ['{"device":1,"sequence":-1}', '{"device":1,"sequence":1e15}', "[[[", "x".repeat(9000)];
    for (const token of forged) {
      kobo.syncToken = Buffer.from(token).toString("base64").slice(0, 8000);
      expect((await kobo.ask()).items.length).toBe(kobo.books.size);
    }
    expect((await kobo.call("GET", `/v1/books/${id}/thumbnail/99999999/0/false/image.jpg`)).status).toBeLessThan(500);
  });
});

it("creates and revokes addresses and chooses shelves on the account page", async () => {
  const { host } = desk.room;
  await using browser = await startChromium();
  const page = await visit(browser, host.url, { extraHTTPHeaders: { "x-api-key": host.as("admin").key as string } });
  await page.goto("/account");
  const part = page.locator("kobo-account");
  await part.getByLabel("Name").fill("Libra");
  await part.getByRole("button", { name: "Create an address" }).click();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await part.getByRole("button", { name: "Copy" }).click();
  await page.getByText("The address was copied to the clipboard.").waitFor();
  const address = await part.locator("code").innerText();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  const kobo = new Kobo(address);
  await part.getByLabel("The whole library").check();
  await expect.poll(async () => (await kobo.sync()).length + kobo.books.size).toBeGreaterThanOrEqual(3);
  await page.reload();
  await part.getByText("Libra synchronised").waitFor();
  expect([await part.locator("code").count(), await part.getByLabel("The whole library").isChecked()]).toEqual([
    0,
    true,
  ]);
  await part.getByRole("button", { name: "Revoke the address of Libra" }).click();
  await page.getByRole("button", { name: "Revoke", exact: true }).last().click();
  await expect.poll(() => statusOf(kobo)).toBe(401);
});
