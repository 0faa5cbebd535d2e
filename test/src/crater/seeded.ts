import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { packTarball, writeManifest } from "@longbox/plugin-cli/packing";
import type { PublishedPackage } from "./published.js";
import { bell, clockTower } from "./seeded/contracts.js";
import { hello } from "./seeded/hello.js";
import { lamps } from "./seeded/lamps.js";
import { notes } from "./seeded/notes.js";
import type { SeededPlugin, SeededVersion } from "./seeded/plugin.js";
import { porter } from "./seeded/porter.js";

const seeded: readonly SeededPlugin[] = [notes, lamps, clockTower, bell, porter, hello];

export async function packSeeded(): Promise<PublishedPackage[]> {
  const packages = seeded.map((plugin) => plugin.versions.map((version) => pack(plugin, version)));
  return Promise.all(packages.flat());
}

async function pack({ name, id }: SeededPlugin, { version, longbox, files }: SeededVersion): Promise<PublishedPackage> {
  const manifest = {
    name,
    version,
    description: `A plugin of ${version}`,
    license: "MIT",
    repository: "https://example.org/seeded",
    type: "module",
    keywords: ["longbox-plugin"],
    exports: { ".": "./dist/index.js", "./package.json": "./package.json" },
    longbox: { id, title: id, description: `Seeded ${id}`, sdk: "^1.0.0", ...longbox },
    peerDependencies: { "@longbox/sdk": longbox?.["sdk"] ?? "^1.0.0" },
  };
  const folder = await mkdtemp(join(tmpdir(), "longbox-seeded-"));
  try {
    for (const [path, text] of Object.entries({ "README.md": `# ${name}\n`, ...files })) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    await writeManifest(folder, manifest);
    return { manifest, tarball: await packTarball(folder) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
