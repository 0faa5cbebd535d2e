import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { publishBuilt, startRegistry } from "@longbox/registry";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const run = promisify(execFile);
const person = { NAME: "Ada Quill", EMAIL: "ada@lamplight.example" };
const environment = {
  ...process.env,
  PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"]}`,
  NX_DAEMON: "false",
  NX_NO_CLOUD: "true",
  ...Object.fromEntries(
    Object.entries(person).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]),
  ),
};

let folder: string;
let clone: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longbox-release-"));
  clone = join(folder, "longbox");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const inClone = (program: string, ...parameters: string[]) =>
  run(program, parameters, { cwd: clone, env: environment, maxBuffer: 64 * 1024 * 1024 });

async function packageJson(path: string): Promise<any> {
  return JSON.parse(await readFile(join(clone, path, "package.json"), "utf8"));
}

/** A clone of this checkout with what was built, as it was when its present versions were released. */
async function cloneAfterRelease(): Promise<void> {
  await run("git", ["clone", "--quiet", "--local", root, clone], { env: environment });
  await inClone("git", "checkout", "--quiet", "-B", "main");
  await symlink(join(root, "node_modules"), join(clone, "node_modules"));
  for (const path of ["examples/hello", "plugins/imaging"])
    await cp(join(root, path, "dist"), join(clone, path, "dist"), { recursive: true });
  const { stdout } = await inClone("lerna", "list", "--json", "--all", "--loglevel", "silent");
  for (const { name, version } of JSON.parse(stdout) as Array<{ name: string; version: string }>)
    await inClone("git", "tag", "--force", "--annotate", "--message", version, `${name}@${version}`);
}

it.skipIf(!existsSync(join(root, ".git")))(
  "releases the one package that changed, with a version, a changelog and a tag of its own, and a server upgrades to it (skipped outside of a git checkout)",
  async () => {
    await cloneAfterRelease();
    await using registry = await startedRegistry();
    const before = await packageJson("examples/hello");
    await publishBuilt(join(clone, "examples/hello"), { url: registry.url, token: registry.token });
    await using host = await startKernelTestHost({ storage: "sqlite", registry: registry.url });
    const admin = host.as("admin");
    await admin.post("/api/plugins/install", { name: before.name });

    before.longbox.description = "Greets in a friendlier way";
    await writeFile(join(clone, "examples/hello/package.json"), `${JSON.stringify(before, undefined, 2)}\n`);
    await inClone("git", "commit", "--quiet", "--all", "--message", "feat(hello): a friendlier greeting");
    await inClone("npm", "run", "release", "--", "--yes", "--loglevel", "error");

    const released = await packageJson("examples/hello");
    const [major, minor] = before.version.split(".").map(Number);
    expect(released.version).toBe(`${major}.${minor + 1}.0`);
    expect(await readFile(join(clone, "examples/hello/CHANGELOG.md"), "utf8")).toContain("a friendlier greeting");
    expect((await packageJson("plugins/imaging")).version).toBe(
      JSON.parse(await readFile(join(root, "plugins/imaging/package.json"), "utf8")).version,
    );
    const { stdout: tags } = await inClone("git", "tag", "--points-at", "HEAD");
    expect(tags.trim()).toBe(`${released.name}@${released.version}`);

    const publication = await publishBuilt(join(clone, "examples/hello"), { url: registry.url, token: registry.token });
    expect(publication).toEqual({ name: released.name, version: released.version, isNew: true });
    const upgraded = await admin.post("/api/plugins/install", { name: before.name });
    expect(upgraded).toMatchObject({
      status: 200,
      body: { version: released.version, description: "Greets in a friendlier way", state: "active" },
    });
  },
);

async function startedRegistry(): Promise<{ url: string; token: string } & AsyncDisposable> {
  const registry = await startRegistry({ folder: join(folder, "registry") });
  return { url: registry.url, token: registry.token, [Symbol.asyncDispose]: () => registry.stop() };
}
