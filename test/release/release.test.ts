import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { publishAll, startRegistry } from "@longbox/registry";
import { needs, needsLongRun, runsLongTests } from "@longbox/test/needs";
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

interface Released {
  readonly name: string;
  readonly version: string;
  readonly location: string;
}

async function packagesOfClone(): Promise<Released[]> {
  const { stdout } = await inClone("lerna", "list", "--json", "--all", "--loglevel", "silent");
  return (JSON.parse(stdout) as Released[]).map((each) => ({ ...each, location: relative(clone, each.location) }));
}

/** A clone of this checkout with what was built, as it was when its present versions were released. */
async function cloneAfterRelease(): Promise<Released[]> {
  await run("git", ["clone", "--quiet", "--local", root, clone], { env: environment });
  await inClone("git", "checkout", "--quiet", "-B", "main");
  await symlink(join(root, "node_modules"), join(clone, "node_modules"));
  const packages = await packagesOfClone();
  await getsItsTags(packages);
  for (const { name, version, location } of packages) {
    for (const built of ["dist", "client/dist"].filter((path) => existsSync(join(root, location, path))))
      await cp(join(root, location, built), join(clone, location, built), { recursive: true });
    // Changes of this test count from here.
    await inClone("git", "tag", "--force", "--annotate", "--message", version, `${name}@${version}`);
  }
  return packages;
}

/** Tags are not part of what a clone is made of here: those of the present versions are found in the history. */
async function getsItsTags(packages: readonly Released[]): Promise<void> {
  if ((await inClone("git", "rev-parse", "--is-shallow-repository")).stdout.trim() === "true") return;
  await inClone("npm", "run", "release:tags");
  const { stdout } = await inClone("git", "tag", "--list");
  expect(stdout.trim().split("\n").sort()).toEqual(packages.map(({ name, version }) => `${name}@${version}`).sort());
  const { stdout: subjects } = await inClone("git", "for-each-ref", "--format=%(*contents:subject)", "refs/tags");
  for (const subject of subjects.trim().split("\n")) expect(subject).toMatch(/^chore: (release|change logs of) ?/);
}

/** What the commits say of a package, and what follows for its version. */
const changes = [
  {
    type: "fix",
    footer: "",
    heading: "### Bug Fixes",
    next: ([major, minor, patch]: number[]) => [major, minor, patch! + 1],
  },
  { type: "feat", footer: "", heading: "### Features", next: ([major, minor]: number[]) => [major, minor! + 1, 0] },
  {
    type: "feat",
    footer: "\n\nBREAKING CHANGE: its routes have other names",
    heading: "BREAKING CHANGES",
    next: ([major]: number[]) => [major! + 1, 0, 0],
  },
] as const;

interface Change {
  readonly before: Released;
  readonly message: string;
  readonly heading: string;
  readonly version: string;
}

/** Commits a change of one package: its description says what changed, so that a running plugin shows it. */
async function change(before: Released, index: number): Promise<Change> {
  const { type, footer, heading, next } = changes[index % changes.length]!;
  const scope = before.name.split("/")[1]!;
  const message = `the lamp of ${scope} is lit`;
  const manifest = await packageJson(before.location);
  if (manifest.longbox) manifest.longbox.description = message;
  manifest.description = message;
  await writeFile(join(clone, before.location, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  await inClone("git", "commit", "--quiet", "--all", "--message", `${type}(${scope}): ${message}${footer}`);
  return { before, message, heading, version: next(before.version.split(".").map(Number)).join(".") };
}

const condition = runsLongTests ? needs(existsSync(join(root, ".git")), "this is no git checkout") : needsLongRun;

it(
  "releases every package that changed, each with a version, a changelog and a tag of its own, and a running server upgrades to all of them",
  // It publishes every package twice.
  { ...condition, timeout: 600_000 },
  async () => {
    const before = await cloneAfterRelease();
    await using registry = await startedRegistry();
    const published = await publishAll(clone, registry);
    const defaults = published.filter(({ isDefault }) => isDefault);
    expect(defaults.length).toBeGreaterThan(15);
    await using host = await startKernelTestHost({
      storage: "sqlite",
      registry: registry.url,
      kernel: { defaultPlugins: defaults.map(({ name, version }) => ({ package: name, version })) },
    });
    const admin = host.as("admin");
    const rows = async () =>
      (await admin.get("/api/plugins")).body.map(({ package: name, version, state, description }: any) => ({
        name,
        version,
        state,
        description,
      }));
    expect(await rows()).toEqual(
      expect.arrayContaining(
        defaults.map(({ name, version }) => expect.objectContaining({ name, version, state: "active" })),
      ),
    );
    const list = await admin.post("/api/lists", { name: "Kept over the upgrade" });
    expect(list.status).toBe(200);

    // The SDK and the examples stay as they are; the kernel changes, too.
    const isDefault = (name: string) => defaults.some((each) => each.name === name);
    const changed: Change[] = [];
    for (const each of before.filter(({ name }) => isDefault(name) || name === "@longbox/kernel"))
      changed.push(await change(each, changed.length));
    // A release begins with the crater, which has its own test, and keeps the data of a server, which starts
    // everything.
    const { scripts } = await packageJson(".");
    expect(scripts.release).toBe("npm run crater && npm run release:versions --");
    expect(scripts.version).toMatch(/^npm run release:data && git add /);
    await inClone("npm", "run", "release:versions", "--", "--yes", "--ignore-scripts", "--loglevel", "error");

    const released = new Map((await packagesOfClone()).map((each) => [each.name, each]));
    const { stdout: tags } = await inClone("git", "tag", "--points-at", "HEAD");
    for (const {
      before: { name, location },
      message,
      heading,
      version,
    } of changed) {
      expect([name, released.get(name)!.version]).toEqual([name, version]);
      const changelog = await readFile(join(clone, location, "CHANGELOG.md"), "utf8");
      expect(changelog, name).toContain(heading);
      // Of its own commits and no other's.
      expect([...new Set(changelog.match(/the lamp of [\w-]+ is lit/g))], name).toEqual([message]);
    }
    const newVersions = [...released.values()].filter(
      ({ name, version }) => version !== before.find((each) => each.name === name)!.version,
    );
    expect(tags.trim().split("\n").sort()).toEqual(newVersions.map(({ name, version }) => `${name}@${version}`).sort());
    expect(newVersions.map(({ name }) => name)).not.toContain("@longbox/sdk");

    const publications = (await publishAll(clone, registry)).filter(({ isNew }) => isNew);
    expect(publications.map(({ name }) => name)).toEqual(
      expect.arrayContaining(changed.map(({ before: { name } }) => name)),
    );
    for (const {
      before: { name },
      version,
      message,
    } of changed.filter((each) => isDefault(each.before.name)))
      expect(await admin.post("/api/plugins/install", { name })).toMatchObject({
        status: 200,
        body: { version, description: message, state: "active", restartRequired: false },
      });
    expect((await rows()).toSorted(byName)).toEqual(
      changed
        .filter((each) => isDefault(each.before.name))
        .map(({ before: { name }, version, message }) => ({ name, version, state: "active", description: message }))
        .toSorted(byName),
    );
    expect((await admin.get("/api/lists")).body).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: "Kept over the upgrade" })]),
    );
  },
);

const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);

async function startedRegistry(): Promise<{ url: string; token: string } & AsyncDisposable> {
  const registry = await startRegistry({ folder: join(folder, "registry") });
  return { url: registry.url, token: registry.token, [Symbol.asyncDispose]: () => registry.stop() };
}
