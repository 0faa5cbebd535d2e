// What the web interface does when it sent a field that the server does not know, and so did not save.
import { definePlugin, defineRoute } from "@longbox/sdk";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { startChromium } from "./support/chromium.ts";

const lamps = {
  manifest: { id: "lamps", title: "Lamps", description: "Lamps", sdk: "^1.0.0" },
  plugin: definePlugin({
    activate(_, context) {
      const body = z.object({ name: z.string() });
      const response = z.object({ saved: z.string() });
      const common = { method: "POST", path: "/api/lamps", summary: "Save a lamp" } as const;
      context.routes([defineRoute({ ...common, body, response, handle: ({ body: { name } }) => ({ saved: name }) })]);
    },
  }),
};

interface Asked {
  readonly answer?: unknown;
  readonly code?: string;
  readonly message?: string;
}

/** Asks through the client that the shell gives to every element. */
async function ask(body: Record<string, unknown>): Promise<Asked> {
  type Client = { api(path: string, options: object): Promise<unknown> };
  const found = (root: ParentNode): Client | undefined => {
    for (const element of root.querySelectorAll("*")) {
      const { longbox } = element as Element & { longbox?: Client };
      if (typeof longbox?.api === "function") return longbox;
      const inner = element.shadowRoot && found(element.shadowRoot);
      if (inner) return inner;
    }
    return undefined;
  };
  const client = found(document);
  if (client === undefined) throw new Error("No element of the page has the client.");
  try {
    return { answer: await client.api("/api/lamps", { method: "POST", body }) };
  } catch (failure) {
    const { code, message } = failure as { code: string; message: string };
    return { code, message };
  }
}

describe("a field that the server does not know", () => {
  let browser: Browser;
  let host: TestHost;

  beforeAll(async () => {
    [browser, host] = await Promise.all([
      startChromium(),
      startTestHost({ plugins: ["operations", "collection", "web", lamps] }),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await host[Symbol.asyncDispose]();
  });

  it.each([
    { who: "a program, such as a test", driven: true },
    { who: "a user", driven: false },
  ])(
    "is a failure in a browser that is driven by $who: $driven; otherwise only the console tells",
    async ({ driven }) => {
      await using context = await browser.newContext({
        baseURL: host.url,
        extraHTTPHeaders: { "x-api-key": host.as("admin").key as string },
      });
      const page = await context.newPage();
      const told: string[] = [];
      page.on("console", (message) => message.type() === "error" && told.push(message.text()));
      if (!driven) await page.addInitScript(() => Object.defineProperty(navigator, "webdriver", { get: () => false }));
      await page.goto("/operations");
      await page.getByRole("heading", { level: 1 }).waitFor();
      expect(await page.evaluate(ask, { name: "Argand" })).toEqual({ answer: { saved: "Argand" } });
      expect(told).toEqual([]);
      const sentence = "POST /api/lamps contained fields the server does not know: nmae.";
      expect(await page.evaluate(ask, { name: "Argand", nmae: "Betty" })).toEqual(
        driven ? { code: "web/unknown-fields", message: sentence } : { answer: { saved: "Argand" } },
      );
      expect(told).toEqual([sentence]);
    },
  );
});
