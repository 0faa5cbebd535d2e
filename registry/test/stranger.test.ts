import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { needs, needsLongRun, runsLongTests } from "@longbox/test/needs";
import { machineRegistry, publishBuilt, startRegistry } from "@longbox/registry";
import { expect, it } from "vitest";
import { temporaryFolder } from "./support/folders.js";

const root = join(import.meta.dirname, "..", "..");
const published = ["sdk", "kernel", "registry/plugin-cli", "registry/create-longbox-plugin"];

const upstream = await machineRegistry();
const reachable = await fetch(new URL("zod", `${upstream.replace(/\/$/, "")}/`), { method: "HEAD" }).then(
  (answer) => answer.ok,
  () => false, // Without a network there is nothing that npm could install from.
);

// The time is printed, since a machine that does other work says nothing with it.
it(
  "criterion 30: a stranger with an empty folder and the registry's address comes to a route that answers",
  { ...(runsLongTests ? needs(reachable, "there is no registry to install from") : needsLongRun), timeout: 900_000 },
  async () => {
    await using data = await temporaryFolder();
    await using empty = await temporaryFolder();
    await using registry = await startRegistry({ folder: data.path, upstream });
    for (const folder of published) await publishBuilt(join(root, folder), registry);
    const npm = npmOf(empty.path, registry.url);
    const began = performance.now();
    await npm(empty.path, ["create", "--yes", "longbox-plugin", "lamps"]);
    const folder = join(empty.path, "lamps");
    await npm(folder, ["install"]);
    const ready = performance.now();
    await npm(folder, ["test"]);
    await npm(folder, ["run", "check"]);
    await npm(folder, ["run", "publish:plugin", "--", "--registry", registry.url], {
      LONGBOX_REGISTRY_TOKEN: registry.token,
    });
    await using host = await startKernelTestHost({ registry: registry.url });
    expect((await host.as("admin").post("/api/plugins/install", { name: "lamps", accept: true })).body.state).toBe(
      "active",
    );
    expect((await host.as("viewer").get("/api/lamps")).body).toEqual({ message: "Hello from lamps, viewer!" });
    const seconds = (from: number) => Math.round((performance.now() - from) / 100) / 10;
    process.stderr.write(
      `${JSON.stringify({ toARouteS: seconds(began), ofThatInstallingS: seconds(began) - seconds(ready) })}\n`,
    );
  },
);

/** npm as a stranger has it: nothing in its cache, and no configuration but the registry's address. */
function npmOf(home: string, registry: string) {
  return async (cwd: string, parameters: readonly string[], environment: NodeJS.ProcessEnv = {}) => {
    const cache = join(home, ".npm");
    await mkdir(cache, { recursive: true });
    await writeFile(join(home, ".npmrc"), `registry=${registry}\naudit=false\nfund=false\n`);
    await promisify(execFile)("npm", [...parameters], {
      cwd,
      env: {
        PATH: `${join(root, "node_modules", ".bin")}${delimiter}${process.env["PATH"]}`,
        HOME: home,
        npm_config_userconfig: join(home, ".npmrc"),
        npm_config_cache: cache,
        ...environment,
      },
      maxBuffer: 64 * 1024 * 1024,
    });
  };
}
