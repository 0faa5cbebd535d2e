// Criterion 12: installing a package runs none of its scripts, and none of its code in the kernel's own thread.
import { readdir } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { TarballRegistry } from "../../plugins/authoring/tarball-registry.js";
import { Program } from "../../plugins/program.js";
import { temporaryFolder, type TinyPlugin } from "../../plugins/support.js";

const lifecycle = [
  ...["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare", "prepublishOnly"],
  ...["prepack", "pack", "postpack", "dependencies", "preuninstall", "uninstall", "postuninstall", "start", "test"],
];

/** Everything by which npm would run something, each leaving a file of its own in the folder. */
function armed(folder: string, manifest: Record<string, unknown>): TinyPlugin {
  const touch = (name: string) => `touch ${path.join(folder, name)}`;
  return {
    id: "armed",
    manifest,
    head: `import { appendFileSync } from "node:fs";
      try { appendFileSync(${JSON.stringify(path.join(folder, "loaded"))}, "loaded"); } catch { /* Without a right to do so. */ }`,
    packageJson: {
      scripts: Object.fromEntries(lifecycle.map((name) => [name, touch(`script-${name}`)])),
      bin: { armed: "./bin.sh", node: "./bin.sh", sh: "./bin.sh" },
      gypfile: true,
      dependencies: { "left-over": "file:./left-over" },
    },
    files: {
      "bin.sh": `#!/bin/sh\n${touch("bin")}\n`,
      "binding.gyp": JSON.stringify({
        targets: [
          {
            target_name: "armed",
            type: "none",
            actions: [{ action_name: "a", inputs: [], outputs: ["x"], action: ["sh", "-c", touch("gyp")] }],
          },
        ],
        variables: { now: `<!(${touch("gyp-variable")})` },
      }),
      ".npmrc": `script-shell=./bin.sh\nnode-options=--require ./required.cjs\nprefix=${folder}\n`,
      ".npmignore": "",
      "npm-shrinkwrap.json": JSON.stringify({ name: "armed", lockfileVersion: 3, packages: {} }),
      "required.cjs": `require("node:fs").writeFileSync(${JSON.stringify(path.join(folder, "required"))}, "");`,
      "left-over/package.json": JSON.stringify({
        name: "left-over",
        version: "1.0.0",
        scripts: { install: touch("left-over") },
      }),
    },
  };
}

it("criterion 12: no script, program or setting of a package runs when it is installed, nor its code with any right before it is switched on", async () => {
  await using sentinels = await temporaryFolder();
  await using data = await temporaryFolder();
  await using registry = await TarballRegistry.open();
  await using program = await Program.start({ LONGBOX_DATA: data.path, LONGBOX_REGISTRY: registry.url });
  registry.offer(armed(sentinels.path, { requires: { nowhere: "^1.0.0" } }));
  const body = { name: "@longbox-test/armed", accept: true };
  expect(await program.admin.post("/api/plugins/install", { ...body, accept: false })).toMatchObject({
    status: 409,
    body: { code: "kernel/needs-consent" },
  });
  expect(await readdir(sentinels.path)).toEqual([]);
  // Nothing provides what it needs, so it is installed and not switched on.
  expect(await program.admin.post("/api/plugins/install", body)).toMatchObject({
    status: 200,
    body: { state: "unsatisfied" },
  });
  // Its module was tried, in a process that has no folder to write to.
  expect(await readdir(sentinels.path)).toEqual([]);
  await program.admin.post("/api/restart");
  await expect
    .poll(() => program.admin.get("/api/plugins/armed").catch(() => undefined))
    .toMatchObject({ status: 200 });
  expect(await readdir(sentinels.path)).toEqual([]);
  expect((await program.admin.post("/api/plugins/uninstall", { name: "armed", purge: true })).status).toBe(200);
  expect(await readdir(sentinels.path)).toEqual([]);
});
