import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { arrowsCheck } from "../src/check/arrows.js";
import { documentsCheck } from "../src/check/documents.js";
import { lockFileCheck } from "../src/check/lock-file.js";
import { statusesCheck } from "../src/check/statuses.js";
import { wordsCheck } from "../src/check/words.js";

const root = join(import.meta.dirname, "..", "..");

// A repository that holds these files and nothing else.
async function plant(files: Record<string, string>): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), "longbox-check-test-"));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), text);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

describe("the import arrows", () => {
  it.each([
    ["the kernel importing a plugin", "kernel/src/a.ts", `import { Collection } from "@longbox/collection/contract";`],
    ["the kernel importing the registry", "kernel/src/a.ts", `export { startRegistry } from "@longbox/registry";`],
    ["the SDK importing the kernel", "sdk/src/a.ts", `import type { Kernel } from "@longbox/kernel";`],
    ["a plugin importing the kernel", "plugins/reader/src/a.ts", `const kernel = await import("@longbox/kernel");`],
    ["a plugin importing another plugin's code", "plugins/reader/src/a.ts", `import collection from "@longbox/collection";`],
    ["a plugin's client importing another plugin's code", "plugins/reader/client/a.ts", `import "@longbox/web";`],
    ["a plugin reaching into another by a relative path", "plugins/reader/src/a.ts", `import { tables } from "../../collection/src/tables.js";`],
    ["a plugin running on the test host", "plugins/reader/src/a.ts", `import { startTestHost } from "@longbox/sdk/testing";`],
    ["the SDK reaching into the kernel by a relative path", "sdk/src/a.ts", `import {\n  Kernel,\n} from "../../kernel/src/index.js";`],
    ["the registry importing the kernel", "registry/src/a.ts", `import "@longbox/kernel";`],
    ["a second door for the container", "kernel/src/http/a.ts", `import { container } from "tsyringe";`],
    ["a second door for the HTTP server", "kernel/src/plugins/a.ts", `import polka from "polka";`],
    ["a second door for static files", "plugins/web/src/a.ts", `import sirv from "sirv";`],
    ["a second door for documents", "plugins/reader/src/a.ts", `import { Low } from "lowdb/node";`],
    ["a second door for the engine in memory", "kernel/src/plugins/a.ts", `import initSqlJs from "sql.js";`],
    ["a second door for the durable engine", "plugins/collection/src/a.ts", `import { DatabaseSync } from "node:sqlite";`],
    ["a second door for outgoing HTTP", "plugins/metadata/src/a.ts", `const { request } = require("undici");`],
    ["a second door for Verdaccio", "registry/src/bin/a.ts", `import { runServer } from "verdaccio";`],
  ])("catch %s", async (_, path, text) => {
    await using planted = await plant({ [path]: text });
    const [complaint, ...more] = await arrowsCheck.find(planted.path);
    expect(complaint).toMatch(new RegExp(`^${path}:1 imports `));
    expect(more).toEqual([]);
  });

  it("allow what the architecture draws", async () => {
    await using planted = await plant({
      "kernel/src/index.ts": `import { definePlugin } from "@longbox/sdk"; import { x } from "./x.js";`,
      "kernel/src/storage/sqlite-engine.ts": `import { DatabaseSync } from "node:sqlite"; import { Low } from "lowdb";`,
      "kernel/src/http/polka-server.ts": `import polka from "polka";`,
      "plugins/reader/src/index.ts": `import { Collection } from "@longbox/collection/contract"; import { own } from "./own.js"; import { z } from "zod";\n// import collection from "@longbox/collection";`,
      "plugins/reader/test/reader.test.ts": `import { startTestHost } from "@longbox/sdk/testing"; import { startKernel } from "@longbox/kernel";`,
      "registry/src/serving/verdaccio-process.ts": `import { runServer } from "verdaccio"; import { manifestSchema } from "@longbox/sdk/manifest";`,
    });
    expect(await arrowsCheck.find(planted.path)).toEqual([]);
  });
});

describe("the words of the kernel", () => {
  it("catch a word of comics in code, text and comments, inside longer names too", async () => {
    await using planted = await plant({
      "kernel/src/a.ts": `const seriesCount = 1;\n// Opens a Comic.\nconst cvIssueId = "opds";\n`,
      "sdk/src/b.ts": "export type CBZ = string;\n",
      "plugins/reader/src/c.ts": "const comic = 1;\n",
    });
    expect((await wordsCheck.find(planted.path)).map((complaint) => complaint.replace(/, which.*/, ""))).toEqual([
      'kernel/src/a.ts:1 says "series"',
      'kernel/src/a.ts:2 says "Comic"',
      'kernel/src/a.ts:3 says "opds"',
      'kernel/src/a.ts:3 says "cvIssue"',
      'sdk/src/b.ts:1 says "CBZ"',
    ]);
  });

  it("allow a zod issue, and words that only look alike", async () => {
    await using planted = await plant({ "kernel/src/a.ts": "const first = error.issues[0]; const archive = research; const recover = discover;\n" });
    expect(await wordsCheck.find(planted.path)).toEqual([]);
  });
});

it("catches a status number outside the kernel's HTTP folder", async () => {
  await using planted = await plant({
    "kernel/src/http/statuses.ts": "answer.statusCode = 404;\n",
    "kernel/src/access/a.ts": "answer.statusCode = 401;\n",
    "plugins/reader/src/a.ts": "if (upstream.status === 404) return { status: 404 };\nresponse.writeHead(200);\n",
  });
  expect(await statusesCheck.find(planted.path)).toEqual([`kernel/src/access/a.ts:1 writes "statusCode = 401".`, `plugins/reader/src/a.ts:1 writes "status: 404".`, `plugins/reader/src/a.ts:2 writes "writeHead(200".`]);
});

it("catches a lock file that npm ci would refuse", async () => {
  const packages = {
    "": {},
    sdk: { dependencies: { zod: "4.6.7" } },
    "node_modules/fast": { version: "1.0.0", optionalDependencies: { "fast-linux": "1.0.0", "fast-windows": "1.0.0" } },
    "node_modules/fast/node_modules/fast-linux": { version: "1.0.0" },
  };
  await using planted = await plant({ "package-lock.json": JSON.stringify({ packages }), "sdk/package.json": JSON.stringify({ dependencies: { zod: "4.6.8" } }) });
  expect(await lockFileCheck.find(planted.path)).toEqual([
    expect.stringMatching(/no entry for fast-windows@1\.0\.0/),
    expect.stringMatching(/disagrees with sdk\/package\.json about dependencies/),
  ]);
});

it("catches a document whose code does not compile, whose JSON is none, or that links nowhere", async () => {
  await using planted = await plant({
    "README.md": 'See [the guide](sdk/README.md) and [nothing](gone.md).\n\n```ts\nconst count: number = "many";\n```\n\n```json\n{ "id": }\n```\n',
    "sdk/README.md": "```ts\nconst count: number = 1;\n```\n",
  });
  // What is compiled is compiled with the real settings and tools.
  for (const name of ["node_modules", "tsconfig.base.json"]) await symlink(join(root, name), join(planted.path, name));
  const complaints = await documentsCheck.find(planted.path);
  expect(complaints).toEqual([expect.stringMatching(/^README\.md:7 is not JSON/), expect.stringMatching(/README-md-3\.ts.*error TS2322/s), "README.md links to gone.md, which is not there."]);
  expect(complaints.join("\n")).not.toMatch(/sdk-README/);
});
