// The packages that authors install: what their tarballs hold.
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { packTarball, readPackageJson, stagePackage, writeManifest } from "@longbox/plugin-cli/packing";
import { extract } from "tar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "./support/folders.js";

const root = join(import.meta.dirname, "..", "..");
const packages = ["sdk", "kernel", "registry/plugin-cli", "registry/create-longbox-plugin"];
const relativeLink = /\]\((?![a-z]+:|#)([^)\s#]+)/g;

/** Packs a package as a release does. @returns the folder of what the tarball holds */
async function unpacked(folder: string, parent: string): Promise<string> {
  const staging = await mkdtemp(join(tmpdir(), "longbox-staged-"));
  try {
    const manifest = await readPackageJson(join(root, folder));
    await writeManifest(staging, await stagePackage({ folder: join(root, folder), manifest }, staging));
    const target = await mkdtemp(join(parent, "package-"));
    await pipeline(Readable.from([await packTarball(staging)]), extract({ cwd: target, strip: 1 }));
    return target;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

describe("a package of an author's tools", () => {
  let parent: { path: string } & AsyncDisposable;
  const folders = new Map<string, string>();
  beforeAll(async () => {
    parent = await temporaryFolder();
    for (const name of packages) folders.set(name, await unpacked(name, parent.path));
  });
  afterAll(() => parent[Symbol.asyncDispose]());

  it("holds the guides by task, and names them in the README", async () => {
    const sdk = folders.get("sdk")!;
    const guides = await readdir(join(root, "sdk/guides"));
    expect((await readdir(join(sdk, "guides"))).sort()).toEqual(guides.sort());
    expect(guides.length).toBeGreaterThanOrEqual(8);
    expect(await readFile(join(sdk, "README.md"), "utf8")).toContain("](guides/README.md)");
    expect(await readFile(join(sdk, "guides/README.md"), "utf8")).toContain("](device-protocol.md)");
  });

  it("links to no file that the package does not hold, and says the same without the link", async () => {
    for (const folder of folders.values()) {
      const documents = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".md"));
      expect(documents).toContain("README.md");
      for (const name of documents) {
        const text = await readFile(join(folder, name), "utf8");
        const broken = [...text.matchAll(relativeLink)]
          .map(([, to]) => to!)
          .filter((to) => !existsSync(resolve(dirname(join(folder, name)), to)));
        expect(broken, `${folder}: ${name}`).toEqual([]);
      }
    }
    expect(await readFile(join(folders.get("sdk")!, "README.md"), "utf8")).toContain("`@longbox/plugin-cli` develops");
  });
});
