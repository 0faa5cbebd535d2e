import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, readFile, rm, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder, writeFiles } from "./support/folders.js";

const registry = join(import.meta.dirname, "..");
const lock = (version: string) => ({
  lockfileVersion: 3,
  packages: {
    "": {},
    "node_modules/tiny": { version },
    "node_modules/tiny-windows": { version, optional: true },
    "plugins/web/node_modules/tiny": { version },
  },
});
const places = ["node_modules/tiny", "plugins/web/node_modules/tiny"];
/** What the real npm would leave behind. */
const installed = (version: string) =>
  Object.fromEntries(places.map((place) => [`${place}/package.json`, { version }]));

// A small checkout, in which npm and tsc only say that they were called and leave behind what the real ones would.
let checkout: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  checkout = await temporaryFolder();
  for (const part of ["bootstrap.mjs", "bootstrap"])
    await cp(join(registry, part), join(checkout.path, "registry", part), { recursive: true });
  await writeFiles(checkout.path, {
    "package.json": { workspaces: ["registry", "sdk", "plugins/*"] },
    "package-lock.json": lock("1.0.0"),
    "tsconfig.json": { files: [], references: [{ path: "registry" }, { path: "plugins/web" }] },
    "tsconfig.base.json": {},
    "sdk/package.json": {},
    "sdk/src/ui/index.ts": "export {};\n",
    "sdk/src/messages/index.ts": "export {};\n",
    "sdk/src/client-build.ts": "export {};\n",
    "sdk/src/addressed-templates.ts": "export {};\n",
    "registry/package.json": {},
    "registry/src/index.ts": "export {};\n",
    "registry/dist/bin/publish.js": "process.exit(process.argv.includes('well') ? 0 : 7);\n",
    "registry/dist/bin/start.js": `process.on("SIGTERM", () => process.exit(5)); process.on("disconnect", () => {}); console.log("up " + process.connected); setInterval(() => {}, 1000);\n`,
    "plugins/web/package.json": { scripts: { "build:client": "vite build" } },
    "plugins/web/client/app.js": "export {};\n",
    "tools/npm": `#!/bin/sh
echo "npm $*" >> "$CALLS"
if [ "$1" = ci ]; then
  for place in ${places.join(" ")}; do
    mkdir -p $place && sed 's/.*"version":"\\([^"]*\\)".*/{"version":"\\1"}/' package-lock.json > $place/package.json
  done
  mkdir -p node_modules/.bin
  ln -sf ${process.execPath} node_modules/.bin/node
  printf '#!/bin/sh\\necho "tsc $*" >> "$CALLS"\\nfor f in registry plugins/web; do mkdir -p $f/dist; touch $f/dist/.tsbuildinfo; done\\n' > node_modules/.bin/tsc
  chmod +x node_modules/.bin/tsc
else
  mkdir -p client/dist
fi
`,
  });
  await chmod(join(checkout.path, "tools", "npm"), 0o755);
});
afterEach(() => checkout[Symbol.asyncDispose]());

function bootstrap(...args: string[]) {
  return spawnThere(process.execPath, ["registry/bootstrap.mjs", ...args]);
}

function spawnThere(program: string, args: string[], environment: NodeJS.ProcessEnv = {}) {
  const env = {
    ...process.env,
    PATH: `${join(checkout.path, "tools")}:${process.env["PATH"]}`,
    CALLS: join(checkout.path, "calls"),
    npm_lifecycle_event: undefined,
    ...environment,
  };
  return spawn(program, args, { cwd: checkout.path, env, stdio: ["ignore", "pipe", "ignore"] });
}

// What was called during one command, and how it ended.
async function run(...args: string[]): Promise<{ code: number; calls: string[] }> {
  await rm(join(checkout.path, "calls"), { force: true });
  const [code] = (await once(bootstrap(...args), "exit")) as [number];
  const calls = await readFile(join(checkout.path, "calls"), "utf8").catch(() => "");
  return {
    code,
    calls: calls
      .split("\n")
      .filter(Boolean)
      .map((call) => call.replace(/ --.*/, "")),
  };
}

const everything = ["npm ci", "tsc -b", "npm run"];

describe("the bootstrap", () => {
  it("installs and builds the first time, and does neither again while nothing changed", async () => {
    expect(await run("build")).toEqual({ code: 0, calls: everything });
    expect(await run("build")).toEqual({ code: 0, calls: [] });
  });

  it("installs again when the lock file asks for something else, but not when npm did it already", async () => {
    await run("build");
    await writeFiles(checkout.path, { "package-lock.json": lock("2.0.0") });
    expect((await run("build")).calls).toContain("npm ci");
    await writeFiles(checkout.path, { "package-lock.json": lock("3.0.0"), ...installed("3.0.0") });
    expect((await run("build")).calls).not.toContain("npm ci");
  });

  it("installs again when a package is gone from the root's node_modules or from a workspace's own", async () => {
    await run("build");
    for (const gone of ["node_modules/tiny", "plugins/web/node_modules"]) {
      await rm(join(checkout.path, gone), { recursive: true });
      expect((await run("build")).calls).toContain("npm ci");
      expect((await run("build")).calls).toEqual([]);
    }
  });

  it("fails when npm says that it installed everything and did not", async () => {
    await run("build");
    await rm(join(checkout.path, "plugins/web/node_modules"), { recursive: true });
    await writeFiles(checkout.path, { "tools/npm": '#!/bin/sh\necho "npm $*" >> "$CALLS"\n' });
    expect(await run("build")).toEqual({ code: 1, calls: ["npm ci"] });
  });

  it("builds what changed and no more", async () => {
    await run("build");
    await writeFiles(checkout.path, { "registry/src/index.ts": "export const one = 1;\n" });
    expect((await run("build")).calls).toEqual(["tsc -b"]);
    await writeFiles(checkout.path, { "plugins/web/client/app.js": "export const one = 1;\n" });
    expect((await run("build")).calls).toEqual(["tsc -b", "npm run"]);
    await utimes(join(checkout.path, "plugins/web/client/app.js"), new Date(0), new Date(0));
    expect((await run("build")).calls).toEqual(["tsc -b", "npm run"]);
    await writeFiles(checkout.path, { "sdk/src/ui/index.ts": "export const one = 1;\n" });
    expect((await run("build")).calls).toEqual(["tsc -b", "npm run"]);
    await writeFiles(checkout.path, { "sdk/src/client-build.ts": "export const other = 1;\n" });
    expect((await run("build")).calls).toEqual(["tsc -b", "npm run"]);
    await rm(join(checkout.path, "plugins/web/client/dist"), { recursive: true });
    expect((await run("build")).calls).toEqual(["npm run"]);
    await rm(join(checkout.path, "registry/dist/.tsbuildinfo"));
    expect((await run("build")).calls).toEqual(["tsc -b"]);
  });

  it("runs nothing when it does not compile", async () => {
    await run("build");
    await rm(join(checkout.path, "node_modules/.bin/tsc"));
    await symlink("/bin/false", join(checkout.path, "node_modules/.bin/tsc"));
    await writeFiles(checkout.path, { "registry/src/index.ts": "export const one = 1;\n" });
    expect((await run("publish", "well")).code).toBe(1);
  });

  it("ends as the program that it hands over to does, and refuses a command that there is not", async () => {
    expect((await run("publish", "well")).code).toBe(0);
    expect((await run("publish")).code).toBe(7);
    expect((await run("constructor")).code).toBe(2);
  });

  it("passes a signal on, waits for the program, and prints nothing of its own", async () => {
    await run("build");
    const child = bootstrap("start");
    const lines: string[] = [];
    const reader = createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
    await once(reader, "line");
    child.kill("SIGTERM");
    const [code] = (await once(child, "exit")) as [number];
    expect([code, lines]).toEqual([5, ["up true"]]);
  });

  it("stops when npm's shell is gone without a word", async () => {
    await run("build");
    const shell = spawnThere("sh", ["-c", `${process.execPath} registry/bootstrap.mjs start; true`], {
      npm_lifecycle_event: "start",
    });
    await once(createInterface({ input: shell.stdout }), "line");
    const silence = once(shell.stdout, "close"); // The last process that could write has ended.
    shell.kill("SIGKILL");
    await silence;
  });
});
