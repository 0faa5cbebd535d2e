import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { startRegistry } from "@longbox/registry";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kernelNames, wordsBesidePlugins } from "../../kernel/dist/plugins/packages/kernel-names.js";
import { isPluginId } from "../../kernel/dist/plugins/packages/plugin-package.js";
import { ownServer } from "../plugin-cli/dist/hosting/development-server.js";
import { reservedIds } from "../create-longbox-plugin/dist/reserved-ids.js";
import { temporaryFolder } from "./support/folders.js";

const root = join(import.meta.dirname, "..", "..");
const creator = join(root, "registry/create-longbox-plugin/dist/bin/create.js");
const program = join(root, "registry/plugin-cli/dist/bin/longbox-plugin.js");

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** A program of an author, with everything that it has written so far. */
class AuthorsProgram {
  output = "";
  readonly child: Child;

  constructor(folder: string, parameters: readonly string[], environment: NodeJS.ProcessEnv = {}) {
    this.child = spawn(process.execPath, parameters, {
      cwd: folder,
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (this.output += text));
  }

  async ended(): Promise<{ code: number | null; output: string }> {
    const [code] = (await once(this.child, "close")) as [number | null];
    return { code, output: this.output };
  }
}

const run = (folder: string, parameters: readonly string[], environment?: NodeJS.ProcessEnv) =>
  new AuthorsProgram(folder, parameters, environment).ended();

describe("an author without our checkout", () => {
  let parent: { path: string } & AsyncDisposable;
  let folder: string;
  let source: string;
  const entry = () => join(folder, "src/index.ts");

  beforeAll(async () => {
    parent = await temporaryFolder();
    const made = await run(parent.path, [creator, "lamps"]);
    expect(made).toMatchObject({ code: 0, output: expect.stringContaining("npm test") });
    folder = join(parent.path, "lamps");
    // What `npm install` would put there.
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    source = await readFile(entry(), "utf8");
  });
  afterAll(() => parent[Symbol.asyncDispose]());

  it("gets a plugin whose check finds nothing and whose tests pass", async () => {
    const { code, output } = await run(folder, [program, "check"]);
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/^Quality: gold \(bronze 3 of 3, silver 4 of 4, gold 3 of 3/),
    ]);
    expect(output).toMatch(/for platinum: is-translated: .*messages\/de\.json[^]*\n0 errors, 0 warnings\n$/);
    const tested = await run(folder, [program, "test", "--", "--test-reporter=tap"]);
    expect(tested).toMatchObject({ code: 0, output: expect.stringMatching(/# pass 2\n# fail 0/) });
  });

  it("is told the file and line of a mistake, and that the version is not published with it", async () => {
    await writeFile(entry(), `${source}\nsetInterval(() => {}, 1000);\n`);
    const line = `${source}\n`.split("\n").length;
    try {
      const refused = new RegExp(
        `^src/index\\.ts:${line}: error work-at-import: The module, in \\S*src/index\\.ts at line ${line}, starts a timer.*\\n +Move it into activate`,
        "m",
      );
      expect(await run(folder, [program, "check"])).toEqual({ code: 1, output: expect.stringMatching(refused) });
      const published = await run(folder, [program, "publish", "--registry", "http://127.0.0.1:9"], {
        LONGBOX_REGISTRY_TOKEN: "none",
      });
      expect(published).toEqual({ code: 1, output: expect.stringMatching(refused) });
      const { output } = await run(folder, [program, "check", "--json"]);
      expect(JSON.parse(output)).toEqual({
        findings: [
          {
            severity: "error",
            code: "work-at-import",
            message: expect.stringContaining("starts a timer"),
            remedy: expect.stringContaining("activate"),
            file: "src/index.ts",
            line,
          },
        ],
      });
    } finally {
      await writeFile(entry(), source);
    }
  });

  it("publishes it with a token that an admin makes and revokes, and the admin installs it", async () => {
    await using data = await temporaryFolder();
    await using registry = await startRegistry({ folder: data.path });
    const registryTokenFile = join(data.path, "token");
    await using host = await startKernelTestHost({ registry: registry.url, kernel: { registryTokenFile } });
    const admin = host.as("admin");
    const author = await admin.post("/api/plugins/authors", { name: "Ann", packages: ["lamps"] });
    const publish = (token: string | undefined) =>
      run(folder, [program, "publish", "--server", host.url], { LONGBOX_REGISTRY_TOKEN: token });
    expect(await publish(undefined)).toEqual({ code: 1, output: expect.stringContaining("LONGBOX_REGISTRY_TOKEN") });
    expect(await publish(author.body.token)).toEqual({ code: 0, output: expect.stringContaining("lamps@0.1.0\n") });
    expect((await admin.delete(`/api/plugins/authors/${author.body.id}`)).body).toEqual({ removed: true });
    expect(await publish(author.body.token)).toEqual({
      code: 1,
      output: expect.stringContaining("refused the package (401)"),
    });
    const installed = await admin.post("/api/plugins/install", { name: "lamps", accept: true });
    expect([installed.status, installed.body.state, installed.body.warnings]).toEqual([200, "active", undefined]);
    expect((await host.as("viewer").get("/api/lamps")).body).toEqual({ message: "Hello from lamps, viewer!" });
  });

  it("packs it as a file", async () => {
    expect(await run(folder, [program, "pack"])).toEqual({ code: 0, output: "lamps-0.1.0.tgz\n" });
    expect(await readdir(folder)).toContain("lamps-0.1.0.tgz");
  });

  it("sees each change in the server at once, a mistake as a sentence, and stacks with the lines of the source", async () => {
    const dev = new AuthorsProgram(folder, [program, "dev", "--port", "0"]);
    try {
      await expect.poll(() => dev.output, { timeout: 60_000 }).toMatch(/lamps 0\.1\.1-dev\.\S+ is active/);
      const { listening } = JSON.parse(/\{"listening":.*\}/.exec(dev.output)![0]) as { listening: string };
      const greeting = async () => (await fetch(new URL("/api/lamps", listening))).text();
      expect(await greeting()).toContain("Hello from lamps");
      // As editors and git do it; what is written into the new file afterwards is seen, too.
      await writeFile(`${entry()}.new`, source.replace("Hello from", "Good evening from"));
      await rename(`${entry()}.new`, entry());
      await expect.poll(greeting, { timeout: 60_000 }).toContain("Good evening from lamps");
      await writeFile(entry(), source.replace('"/api/lamps"', '"/lamps"'));
      await expect.poll(() => dev.output, { timeout: 60_000 }).toContain("GET /lamps");
      expect(await greeting()).toContain("Good evening from lamps");
      await writeFile(entry(), `${source}\nconst = 1;\n`);
      const syntax = `src/index.ts:${source.split("\n").length + 1}: The syntax is wrong: Unexpected token.`;
      await expect.poll(() => dev.output, { timeout: 60_000 }).toContain(syntax);
      await writeFile(entry(), source.replace("=> ({ message:", "=> ({ ...new URL(viewer.user.username), message:"));
      await expect.poll(greeting, { timeout: 60_000 }).toContain("error");
      const line = source.split("\n").findIndex((text) => text.includes("=> ({ message:")) + 1;
      await expect.poll(() => dev.output).toContain(`${entry()}:${line}`);
    } finally {
      const ended = dev.ended();
      dev.child.kill("SIGTERM");
      expect((await ended).code).toBe(0);
      await writeFile(entry(), source);
    }
  });
});

it("a server for developing, beside the web interface, has an account to sign in with", async () => {
  await using data = await temporaryFolder();
  const web = join(root, "plugins", "web");
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const options = { dataFolder: data.path, beside: [{ folder: web, hasSite: true }], port: 0, log };
  await using server = await ownServer(options);
  expect([server.advice, lines.join("\n")]).toEqual([
    `Sign in at ${server.url} as "developer" with the password "developer".`,
    expect.not.stringContaining("setup token"),
  ]);
  const asked = (headers: Record<string, string>) => fetch(new URL("/api/plugins", server.url), { headers });
  expect([(await asked({})).status, (await asked({ "x-api-key": server.key! })).status]).toEqual([401, 200]);
  const signedIn = await fetch(new URL("/api/auth/login", server.url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "developer", password: "developer" }),
  });
  expect(signedIn.status).toBe(200);
});

it("a new plugin is refused by the names that an installation refuses", () => {
  expect(
    [...reservedIds].filter((id) => isPluginId(id) && !kernelNames.has(id) && !wordsBesidePlugins.has(id)),
  ).toEqual([]);
  expect([...kernelNames, ...wordsBesidePlugins].filter((id) => !reservedIds.has(id))).toEqual([]);
});

describe("what cannot become a plugin", () => {
  it("is told so", async () => {
    await using parent = await temporaryFolder();
    expect(await run(parent.path, [creator, "Not A Name"])).toMatchObject({
      code: 1,
      output: expect.stringContaining("lower-case words"),
    });
    for (const [name, sentence] of [
      ["@Me/lamps", "its scope must be in lower-case letters"],
      ["@me/library", 'things of its own "library"'],
    ] as const)
      expect(await run(parent.path, [creator, name])).toEqual({ code: 1, output: expect.stringContaining(sentence) });
    expect(await run(parent.path, [creator, "--help"])).toEqual({ code: 2, output: expect.stringMatching(/^Usage/) });
    for (const [parameters, sentence, code] of [
      [["check"], "There is no package.json in", 1],
      [["dev", "--port", "many"], "There is no package.json in", 1],
      [
        ["publish", "--server", "longbox"],
        '--server must be an address such as http://127.0.0.1:8787; it is "longbox".',
        1,
      ],
      [["publish", "--sever", "x"], "Unknown option '--sever'.\n", 2],
      [["publsh"], 'There is no command "publsh".', 2],
    ] as const)
      expect(await run(parent.path, [program, ...parameters])).toEqual({
        code,
        output: expect.stringContaining(sentence),
      });
    await writeFile(join(parent.path, "package.json"), JSON.stringify({ name: "x", version: "1.0.0" }));
    expect(await run(parent.path, [program, "check"])).toEqual({
      code: 1,
      output: expect.stringContaining('does not hold "longbox-plugin"'),
    });
    expect((await run(parent.path, [program, "test"])).output).toContain("There is no test");
    expect((await run(parent.path, [program])).code).toBe(2);
  });
});
