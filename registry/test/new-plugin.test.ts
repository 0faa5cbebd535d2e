import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { makePlugin, publishBuilt, startRegistry } from "@longbox/registry";
import { afterAll, beforeAll, expect, it } from "vitest";
import { temporaryFolder } from "./support/folders.js";

const root = join(import.meta.dirname, "..", "..");
const run = promisify(execFile);
// Inside the checkout, where the SDK is found, and outside what the workspaces build or test.
const parent = join(root, "temp", `new-plugin-${process.pid}`);
beforeAll(() => mkdir(parent, { recursive: true }));
afterAll(() => rm(parent, { recursive: true, force: true }));

it("makes a plugin that compiles, passes its own tests, is published and installs", async () => {
  const folder = await makePlugin(root, "reading-list", parent);
  await run("tsc", ["-b", folder]);
  await run("vite", ["build"], { cwd: folder });
  await writeFile(
    join(parent, "vitest.config.mjs"),
    "export default { test: { fsModuleCache: false, testTimeout: 30_000 } };\n",
  );
  const report = join(parent, "report.json");
  await run(process.execPath, [
    join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    "--root",
    parent,
    "--reporter",
    "json",
    "--outputFile",
    report,
  ]);
  expect(JSON.parse(await readFile(report, "utf8"))).toMatchObject({
    success: true,
    numPassedTests: 2,
    numFailedTests: 0,
  });
  await using data = await temporaryFolder();
  await using registry = await startRegistry({ folder: data.path });
  expect(await publishBuilt(folder, registry)).toEqual({
    name: "@longbox/reading-list",
    version: "1.0.0",
    isNew: true,
  });
  await using host = await startKernelTestHost({ registry: registry.url });
  expect(await host.as("admin").post("/api/plugins/install", { name: "@longbox/reading-list" })).toMatchObject({
    status: 200,
    body: { name: "reading-list", state: "active" },
  });
  expect(await host.as("viewer").get("/api/reading-list")).toMatchObject({
    status: 200,
    body: { message: expect.stringMatching(/^Hello from reading-list, .+!$/) },
  });
  const [part] = (await host.as("viewer").get("/api/plugins/client")).body as { js: string }[];
  expect(part).toMatchObject({
    name: "reading-list",
    pages: [{ path: "/reading-list", element: "reading-list-page" }],
  });
  const module = await fetch(new URL(part?.js ?? "", host.url));
  expect([module.status, await module.text()]).toEqual([200, expect.stringContaining("reading-list-page")]);
});

it("refuses what cannot be an id, a folder that is taken, and a place outside the checkout", async () => {
  await expect(makePlugin(root, "Reading List", parent)).rejects.toThrow(/"Reading List" cannot be a plugin's id/);
  await expect(makePlugin(root, "../escape", parent)).rejects.toThrow(/cannot be a plugin's id/);
  await makePlugin(root, "taken", parent);
  await expect(makePlugin(root, "taken", parent)).rejects.toThrow(/already exists/);
  await using outside = await temporaryFolder();
  await expect(makePlugin(root, "elsewhere", outside.path)).rejects.toThrow(/outside the checkout/);
});

it("makes a plugin of the checkout a workspace, as npm install would", async () => {
  await using checkout = await temporaryFolder();
  const put = (path: string, value: object) => writeFile(join(checkout.path, path), JSON.stringify(value));
  await mkdir(join(checkout.path, "node_modules", "@longbox"), { recursive: true });
  await put("tsconfig.json", { files: [], references: [{ path: "sdk" }, { path: "test" }] });
  await put("package-lock.json", {
    lockfileVersion: 3,
    packages: { "": {}, "node_modules/@longbox/sdk": { resolved: "sdk", link: true }, sdk: { name: "@longbox/sdk" } },
  });
  await makePlugin(checkout.path, "reading-list");
  const read = async (path: string) =>
    JSON.parse(await readFile(join(checkout.path, path), "utf8")) as Record<string, any>;
  expect((await read("tsconfig.json"))["references"]).toEqual([
    { path: "sdk" },
    { path: "plugins/reading-list" },
    { path: "plugins/reading-list/client" },
    { path: "test" },
  ]);
  expect((await read("package-lock.json"))["packages"]).toMatchObject({
    "node_modules/@longbox/reading-list": { resolved: "plugins/reading-list", link: true },
    "plugins/reading-list": {
      name: "@longbox/reading-list",
      version: "1.0.0",
      devDependencies: { lit: expect.any(String) },
      peerDependencies: { "@longbox/sdk": "^1.0.0" },
    },
  });
  expect(await read("node_modules/@longbox/reading-list/package.json")).toMatchObject({
    longbox: { id: "reading-list" },
  });
});
