import { join } from "node:path";
import { Notifications, type Notice } from "@longbox/notifications/contract";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChromium } from "./support/chromium.ts";
import { objections } from "./support/objections.ts";
import { soon } from "./support/soon.ts";
import { visit } from "./support/visitor.ts";

const shots = process.env["LONGBOX_SHOTS"];

const happened: readonly Notice[] = [
  {
    category: "import",
    level: "success",
    title: "12 new in 4 series",
    body: "Moth Patrol (9), Night Bell #3",
    url: "/library",
  },
  { category: "failure", level: "error", title: "Night Bell #4 could not be downloaded", body: "Every source failed." },
  { category: "request", level: "info", title: "Lamp Street was approved", body: "" },
  { category: "system", level: "warning", title: "The nightly backup is three days old", body: "" },
];

describe("notifications", () => {
  let browser: Browser;
  let host: TestHost;

  beforeAll(async () => {
    [browser, host] = await Promise.all([
      startChromium(),
      startTestHost({ plugins: ["operations", "collection", "web", "notifications"] }),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await host[Symbol.asyncDispose]();
  });

  async function open(role: string, path: string, options: Parameters<typeof visit>[2] = {}): Promise<Page> {
    const page = await visit(browser, host.url, {
      ...options,
      extraHTTPHeaders: { "x-api-key": host.as(role).key as string },
    });
    await page.goto(path);
    return page;
  }

  async function tell(role: string, notices: readonly Notice[]): Promise<void> {
    const { id } = (await host.as(role).get("/api/auth/me")).body.user;
    for (const notice of notices) await host.use(Notifications).notify(notice, { userIds: [id] });
  }

  it("are counted in the frame of every page, listed there, and marked as read one by one or together", async () => {
    const page = await open("viewer", "/library");
    const activity = (counts = "") => page.getByRole("button", { name: `Activity${counts}`, exact: true });
    await activity().waitFor();
    await tell("viewer", happened);
    await activity(" – Notifications: 4").click();
    const panel = page.getByRole("group", { name: "Activity" });
    await panel.getByText("Every source failed.").waitFor();
    expect(await objections(page)).toEqual([]);
    await panel.getByRole("link", { name: "12 new in 4 series" }).click();
    await activity(" – Notifications: 3").waitFor();
    await soon(() => new URL(page.url()).pathname).toBe("/library");
    await soon(() => panel.isVisible()).toBe(false);
    await activity(" – Notifications: 3").click();
    await panel.getByRole("link", { name: "All: Notifications" }).click();
    await page.getByRole("heading", { name: "Notifications", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Mark as read: Lamp Street was approved" }).press("Enter");
    await activity(" – Notifications: 2").waitFor();
    await page.getByLabel("Only unread").check();
    await soon(() => page.getByRole("listitem").filter({ hasText: "Lamp Street" }).count()).toBe(0);
    await page.getByRole("button", { name: "Mark all as read" }).click();
    await page.getByRole("heading", { name: "No unread notifications" }).waitFor();
    await activity().waitFor();
  });

  it("are chosen by kind and address; addresses are added, tried and removed", async () => {
    const page = await open("trusted", "/notifications/choices");
    await page.getByRole("button", { name: "Add an address" }).click();
    await page.getByLabel("Channel").selectOption("Webhook");
    await page.getByLabel("Name", { exact: true }).fill("My hook");
    await page.getByLabel("Address", { exact: true }).fill("http://127.0.0.1:8090/hook");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const mine = page.getByRole("group", { name: "My hook" });
    await mine.waitFor();
    await page.getByLabel("The server: My hook").check();
    await soon(
      async () => (await host.as("trusted").get("/api/notifications/choices")).body.preferences.system.addresses.length,
    ).toBe(1);
    await mine.getByRole("button", { name: "Send a message to try it" }).click();
    await soon(() => mine.locator(".answers").allInnerTexts()).toEqual([expect.stringMatching(/inside this network/i)]);
    await page.getByLabel("Quiet hours").check();
    await page.getByLabel("From").fill("21:30");
    await page.getByLabel("From").press("Tab");
    await soon(
      async () => (await host.as("trusted").get("/api/notifications/choices")).body.preferences.quiet?.from,
    ).toBe("21:30");
    await mine.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("Notifications are shown only here.").waitFor();
  });

  it("that were pushed are shown by the browser while no page of ours is open, and lead to ours alone", async () => {
    const person = { username: "nora", password: "a reader's password", role: "viewer" };
    expect((await host.as("admin").post("/api/users", person)).status).toBe(201);
    const page = await visit(browser, host.url, { permissions: ["notifications"] });
    const signedIn = await page.request.post("/api/auth/login", {
      data: { username: person.username, password: person.password },
      headers: { Origin: host.url },
    });
    expect(signedIn.status()).toBe(200);
    await page.goto("/library");
    await page.getByRole("button", { name: "Activity", exact: true }).waitFor();
    await page.evaluate(async () => {
      await navigator.serviceWorker.register("/api/notifications/service-worker.js");
    });
    const devtools = await page.context().newCDPSession(page);
    const registered = new Promise<string>((resolve) =>
      devtools.on("ServiceWorker.workerVersionUpdated", ({ versions }) => {
        const active = versions.find(({ status }) => status === "activated");
        if (active) resolve(active.registrationId);
      }),
    );
    await devtools.send("ServiceWorker.enable");
    await devtools.send("ServiceWorker.deliverPushMessage", {
      origin: host.url,
      registrationId: await registered,
      data: JSON.stringify({
        id: "notice-1",
        title: "12 new in 4 series",
        body: "Moth Patrol (9)",
        url: "https://elsewhere.example/",
      }),
    });
    const shown = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration("/api/notifications/");
        return (await registration?.getNotifications())?.map(({ title, body, tag }) => ({ title, body, tag }));
      });
    await soon(shown).toEqual([{ title: "12 new in 4 series", body: "Moth Patrol (9)", tag: "notice-1" }]);
  });

  it.each([
    { theme: "light", width: 1280, height: 860 },
    { theme: "dark", width: 390, height: 780 },
  ] as const)(
    "give axe nothing to object to, and never scroll sideways: $theme, $width pixels wide",
    async ({ theme, width, height }) => {
      await tell("admin", happened);
      await host.as("admin").post("/api/notifications/addresses", {
        channel: "ntfy",
        name: "Phone",
        fields: { server: "https://ntfy.example", topic: "comics" },
      });
      const page = await open("admin", "/notifications", { viewport: { width, height }, colorScheme: theme });
      for (const [path, drawn] of [
        ["notifications", page.getByText("Night Bell #4 could not be downloaded").first()],
        ["notifications/choices", page.getByRole("group", { name: "Phone" })],
      ] as const) {
        await page.goto(`/${path}`);
        await drawn.waitFor();
        if (shots)
          await page.screenshot({
            path: join(shots, `${path.replace("/", "-")}-${theme}-${width}.png`),
            fullPage: true,
          });
        expect(await objections(page), path).toEqual([]);
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
          path,
        ).toBe(0);
      }
    },
  );
});
