import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startServer } from "./support/server.ts";

interface Loaded {
  /** What of Node itself is loaded. */
  readonly ofNode: readonly string[];
  /** The URLs of all other modules. */
  readonly modules: readonly string[];
}

/** Runs first in each process, and makes the one that serves tell at its end what it has loaded. */
const telling = `
  import { writeSync } from "node:fs";
  import { registerHooks } from "node:module";
  const modules = [];
  registerHooks({ load(url, context, next) { modules.push(url); return next(url, context); } });
  process.once("exit", () => {
    if (!modules.some((url) => url.endsWith("/serving.js"))) return;
    writeSync(2, "\\nLoaded: " + JSON.stringify({ ofNode: process.moduleLoadList, modules }) + "\\n");
  });
`;

/** What a server with all plugins has loaded when it is ready. */
async function loadedAtStart(): Promise<Loaded> {
  const data = await mkdtemp(join(tmpdir(), "longbox-loaded-"));
  try {
    const option = `--import=data:text/javascript,${encodeURIComponent(telling)}`;
    const server = await startServer(data, { through: ["env", `NODE_OPTIONS=${option}`] });
    await server.stop();
    const [, told] = /^Loaded: (.*)$/m.exec(server.log()) ?? [];
    return JSON.parse(told!) as Loaded;
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

// Node's own fetch comes with an import of `node:http`, and takes 3 MB.
it("a server with all plugins starts without what only some of them need later", async () => {
  const { ofNode, modules } = await loadedAtStart();
  expect(modules.some((url) => url.includes("/plugins/notifications/"))).toBe(true);
  expect(modules.some((url) => url.includes("/plugins/metadata/"))).toBe(true);
  expect(ofNode).not.toContain("NativeModule internal/deps/undici/undici");
  const packages = new Set(modules.map((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]));
  expect([...packages].filter((name) => name === "nodemailer" || name === "sanitize-html")).toEqual([]);
});
