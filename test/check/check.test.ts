import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answersCheck } from "../src/check/answers.js";
import { arrowsCheck } from "../src/check/arrows.js";
import { circlesCheck } from "../src/check/circles.js";
import { documentsCheck } from "../src/check/documents/documents.js";
import { linesCheck } from "../src/check/lines.js";
import { lockFileCheck } from "../src/check/lock-file.js";
import { promisesCheck } from "../src/check/documents/promises.js";
import { portableSqlCheck } from "../src/check/portable-sql.js";
import { statusesCheck } from "../src/check/statuses.js";
import { viewersCheck } from "../src/check/viewers.js";
import { wordsCheck } from "../src/check/words.js";
import { plant } from "./planting.ts";

describe("the rule about answers in tests", () => {
  it("catches a request whose answer is dropped, and leaves those alone that are looked at", async () => {
    await using planted = await plant({
      "test/whole/a.test.ts": [
        "await fetch(url + path, { method: 'POST', headers: { a: f(1) } });",
        "const { status } = await fetch(url);",
        "  await page.request.post('/api/auth/login', { data });",
        "expect((",
        "  await fetch(url)",
        ").status).toBe(200);",
        "await fetch(url).then(read);",
      ].join("\n"),
      "plugins/reader/src/a.ts": "await fetch(url);",
    });
    expect(await answersCheck.find(planted.path)).toEqual([
      "test/whole/a.test.ts:1 drops the answer of a request: expect its status.",
      "test/whole/a.test.ts:3 drops the answer of a request: expect its status.",
    ]);
  });
});

describe("the import arrows", () => {
  it.each([
    ["the kernel importing a plugin", "kernel/src/a.ts", `import { Collection } from "@longbox/collection/contract";`],
    ["the kernel importing the registry", "kernel/src/a.ts", `export { startRegistry } from "@longbox/registry";`],
    ["the SDK importing the kernel", "sdk/src/a.ts", `import type { Kernel } from "@longbox/kernel";`],
    ["a plugin importing the kernel", "plugins/reader/src/a.ts", `const kernel = await import("@longbox/kernel");`],
    [
      "a plugin importing another plugin's code",
      "plugins/reader/src/a.ts",
      `import collection from "@longbox/collection";`,
    ],
    ["a plugin's client importing another plugin's code", "plugins/reader/client/a.ts", `import "@longbox/web";`],
    [
      "code that comes by the entry for types",
      "plugins/web/client/a.ts",
      `import { seriesRowSchema } from "@longbox/collection/api";`,
    ],
    [
      "an import of one type that stays when the types are gone",
      "plugins/web/client/a.ts",
      `import { type SeriesRow } from "@longbox/collection/api";`,
    ],
    ["code by the plugin's own entry for types", "plugins/web/client/a.ts", `export * from "@longbox/web/api";`],
    ["a server importing code for browsers", "plugins/opds/src/a.ts", `import "@longbox/collection/client";`],
    [
      "a plugin reaching into another by a relative path",
      "plugins/reader/src/a.ts",
      `import { tables } from "../../collection/src/tables.js";`,
    ],
    [
      "a plugin running on the test host",
      "plugins/reader/src/a.ts",
      `import { startTestHost } from "@longbox/sdk/testing";`,
    ],
    [
      "the SDK reaching into the kernel by a relative path",
      "sdk/src/a.ts",
      `import {\n  Kernel,\n} from "../../kernel/src/index.js";`,
    ],
    ["the registry importing the kernel", "registry/src/a.ts", `import "@longbox/kernel";`],
    ["a second door for the container", "kernel/src/http/a.ts", `import { container } from "tsyringe";`],
    ["a second door for the HTTP server", "kernel/src/plugins/a.ts", `import polka from "polka";`],
    ["a second door for static files", "plugins/web/src/a.ts", `import sirv from "sirv";`],
    ["a second door for documents", "plugins/reader/src/a.ts", `import { Low } from "lowdb/node";`],
    ["a second door for the engine in memory", "kernel/src/plugins/a.ts", `import initSqlJs from "sql.js";`],
    [
      "a second door for the durable engine",
      "plugins/collection/src/a.ts",
      `import { DatabaseSync } from "node:sqlite";`,
    ],
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
      "plugins/opds/src/index.ts": `import type { SeriesRow } from "@longbox/collection/api";`,
      "plugins/reader/client/src/index.ts": `import { issueLabel } from "@longbox/collection/client"; import type { SeriesRow } from "@longbox/collection/api"; import { base } from "@longbox/sdk/ui"; export type { ShelfItem } from "@longbox/reader/api";`,
      "plugins/reader/test/reader.test.ts": `import { startTestHost } from "@longbox/sdk/testing"; import { startKernel } from "@longbox/kernel";`,
      "registry/src/serving/verdaccio-process.ts": `import { runServer } from "verdaccio"; import { manifestSchema } from "@longbox/sdk/manifest";`,
    });
    expect(await arrowsCheck.find(planted.path)).toEqual([]);
  });
});

describe("circular imports", () => {
  it("are caught through types, through a file of its own folder, and through contracts of plugins", async () => {
    await using planted = await plant({
      "kernel/src/a.ts": `import { b } from "./rooms/b.js";`,
      "kernel/src/rooms/b.ts": `import type { C } from "./c.js";`,
      "kernel/src/rooms/c.ts": `export type { A } from "../a.js";`,
      "plugins/moth/src/contract.ts": `import type { Candle } from "@longbox/candle/contract";`,
      "plugins/candle/src/contract.ts": `import type { Moth } from "@longbox/moth/contract";`,
      "plugins/wick/src/own.ts": `export const size = (own: typeof import("./own.js")) => own;`,
    });
    expect(await circlesCheck.find(planted.path)).toEqual([
      "kernel/src/a.ts -> kernel/src/rooms/b.ts -> kernel/src/rooms/c.ts -> kernel/src/a.ts is a circle.",
      "plugins/candle/src/contract.ts -> plugins/moth/src/contract.ts -> plugins/candle/src/contract.ts is a circle.",
      "plugins/wick/src/own.ts -> plugins/wick/src/own.ts is a circle.",
    ]);
  });

  it("are not seen where two modules import a third", async () => {
    await using planted = await plant({
      "kernel/src/a.ts": `import "./c.js"; import "./b.js"; // import "./a.js"`,
      "kernel/src/b.ts": `import "./c.js"; import "@longbox/sdk";`,
      "kernel/src/c.ts": `export const c = 1;`,
      "sdk/src/index.ts": `export const sdk = 1;`,
    });
    expect(await circlesCheck.find(planted.path)).toEqual([]);
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
    await using planted = await plant({
      "kernel/src/a.ts": "const first = error.issues[0]; const archive = research; const recover = discover;\n",
    });
    expect(await wordsCheck.find(planted.path)).toEqual([]);
  });
});

it("catches a status number outside the kernel's HTTP folder", async () => {
  await using planted = await plant({
    "kernel/src/http/statuses.ts": "answer.statusCode = 404;\n",
    "kernel/src/access/a.ts": "answer.statusCode = 401;\n",
    // What looks like a comment inside of a text hides nothing.
    "plugins/comics/src/a.ts": `const image = "image/*";\nanswer.statusCode = 409; // "*/*" 'it''s'\n`,
    "plugins/reader/src/a.ts": "if (upstream.status === 404) return { status: 404 };\nresponse.writeHead(200);\n",
  });
  expect(await statusesCheck.find(planted.path)).toEqual([
    `kernel/src/access/a.ts:1 writes "statusCode = 401".`,
    `plugins/comics/src/a.ts:2 writes "statusCode = 409".`,
    `plugins/reader/src/a.ts:1 writes "status: 404".`,
    `plugins/reader/src/a.ts:2 writes "writeHead(200".`,
  ]);
});

it("catches a viewer that is made outside the kernel, and rights that are stored", async () => {
  await using planted = await plant({
    "plugins/reader/src/a.ts": `const all: Viewer = { user, may: () => true, seesRestricted: true };\nconst own = found as unknown as Viewer;\n`,
    "plugins/reader/src/migrations/0001-reader.ts": `schema.createTable("a").addColumn("granted_permissions", types.json);\n`,
    "examples/ui/src/a.ts": "class Guest implements Viewer {}\nconst one = { may: (key: string) => key === 'a' };\n",
    "kernel/src/access/grant.ts": "export class Grant implements Viewer {}\n",
    "plugins/opds/src/a.ts":
      "// { may: () => true }\ninterface Guest { may: (key: string) => boolean; }\nconst may = viewer.may('a');\n",
    "plugins/opds/test/a.test.ts": "const viewer = { user, may: () => true, seesRestricted: true };\n",
  });
  const made = "makes a viewer: take that of the request, or ask kernel.users for one.";
  expect(await viewersCheck.find(planted.path)).toEqual([
    `examples/ui/src/a.ts:1 ${made}`,
    `examples/ui/src/a.ts:2 ${made}`,
    `plugins/reader/src/a.ts:1 ${made}`,
    `plugins/reader/src/a.ts:2 ${made}`,
    "plugins/reader/src/migrations/0001-reader.ts:1 stores rights: store the user's id, and ask kernel.users when they matter.",
  ]);
});

it("catches comments and documents that do not fit the columns, where they could be wrapped", async () => {
  const words = "word ".repeat(30);
  await using planted = await plant({
    "kernel/src/a.ts": `// ${words}\nconst text = "${words}";\n/** ${words} */\n/**\n * ${words}\n */\n// ${"long".repeat(40)}\n`,
    "README.md": `# ${words}\n\n${words}\n\n- ${words}\n\n| ${words} |\n\n\`\`\`\n${words}\n\`\`\`\n\n\`${words}\`\n`,
    "sdk/etc/sdk.api.md": words,
  });
  const wrap = (place: string) => `${place} is longer than 120 characters: wrap it.`;
  expect(await linesCheck.find(planted.path)).toEqual(
    ["README.md:3", "README.md:5", "kernel/src/a.ts:1", "kernel/src/a.ts:3", "kernel/src/a.ts:5"].map(wrap),
  );
});

describe("portable SQL", () => {
  const head = `import { sql } from "kysely";\nimport { perEngine } from "@longbox/sdk";\n`;
  const inSql = (text: string) => `database.select(sql<number>\`${text}\`.as("n"));`;

  it.each([
    ["rows joined into a text", inSql("group_concat(name)")],
    ["instr", inSql("instr(name, 'x')")],
    ["a function of SQLite through the builder", `select((eb) => eb.fn("printf", ["a"]))`],
    ["another name for coalesce", inSql("ifnull(name, 0)")],
    ["a short condition", inSql("iif(a = 1, 2, 3)")],
    ["a pattern of SQLite", inSql("name glob 'a*'")],
    ["a flag as a condition", inSql("case when owned then 1 else 0 end")],
    ["a negated flag as a condition", inSql("case when owned = 1 and not tagged then 1 else 0 end")],
    ["a sum of conditions", inSql("sum(owned = 1)")],
    ["a collation", inSql("name collate nocase")],
    ["the row's number", inSql("max(rowid)")],
    ["a list as JSON", inSql("id in (select value from json_each(?))")],
    ["a field of JSON", inSql("json_extract(body, '$.a')")],
    ["a field of JSON by its arrow", inSql("body ->> 'a'")],
    ["insert or ignore", 'database.insertInto("a").orIgnore();'],
    ["replace", 'database.replaceInto("a").values({});'],
    ["like", inSql("name like 'a%'")],
    ["like through the builder", `database.selectFrom("a").where("name", "like", "a%");`],
    ["the time of the engine", inSql("datetime('now')")],
    ["the larger of two", inSql("max(a, b)")],
    ["a whole statement", "await sql`update a set b = 1`.execute(database);"],
    ["a statement as a text", `await sql.raw("select 1").execute(database);`],
    ["the id of the last row", "const { insertId } = { insertId: result.insertId };"],
    ["a strict table", "sql`create table a (b text) strict`;"],
    ["a column type of an engine", `schema.createTable("a").addColumn("b", "integer");`],
    ["a cast of PostgreSQL", inSql("name::text")],
    ["case-blind like of PostgreSQL", inSql("name ilike 'a'")],
    ["a function of PostgreSQL", inSql("strpos(name, 'x')")],
    ["the time of PostgreSQL", inSql("now()")],
    ["the time of the statement", inSql("current_timestamp")],
    ["a number of 32 bits", inSql("cast(size_bytes as integer)")],
    ["a number of 32 bits through the builder", `select((eb) => eb.cast<number>("size_bytes", "integer"))`],
    ["rounding to places", inSql("round(avg(value), 2)")],
    ["the first of each", `database.selectFrom("a").distinctOn("b").selectAll();`],
    ["a lateral join", `database.selectFrom("a").innerJoinLateral(rows, (on) => on.onTrue());`],
    ["a lock on rows", `database.selectFrom("a").forUpdate().selectAll();`],
    ["SQL inside of a hole", "sql`coalesce(${sql`instr(a, 'b')`}, 0)`;"],
  ])("catches %s", async (_, line) => {
    await using planted = await plant({
      "plugins/shelves/src/a.ts": `${head}${line}\n`,
      "kernel/src/access/a.ts": head,
    });
    const complaints = await portableSqlCheck.find(planted.path);
    expect(complaints).not.toEqual([]);
    for (const complaint of complaints) expect(complaint).toMatch(/^plugins\/shelves\/src\/a\.ts:3 has "/);
  });

  it("catches an order by what may be null that does not say where nulls go", async () => {
    await using planted = await plant({
      "plugins/shelves/src/tables.ts":
        "export interface Tables {\n  shelf: Shelf;\n}\ninterface Shelf {\n  id: number;\n  year: number | null;\n}\n",
      "plugins/shelves/src/a.ts": `${head}const found = database\n  .selectFrom("shelf")\n  .orderBy("shelf.year", "desc")\n  .orderBy("year", (order) => order.asc().nullsLast())\n  .orderBy("id");\n`,
    });
    expect(await portableSqlCheck.find(planted.path)).toEqual([
      'plugins/shelves/src/a.ts:5 orders by "year", which may be null: say nullsFirst or nullsLast.',
    ]);
  });

  it("allows what all engines take, and what is spelled for each of them", async () => {
    const lines = [
      inSql("coalesce(sum(case when owned = 1 then 1 else 0 end), 0)"),
      inSql("count(*) filter (where owned = 1 and tagged = 0)"),
      inSql("case when year between 1990 and 2000 then 1 else 0 end"),
      inSql("cast(size_bytes as bigint) + round(value - 0.5)"),
      `select((eb) => eb.cast<number>("size_bytes", "bigint"))`,
      inSql("string_agg(name, ',' order by name nulls last)"),
      "const length = perEngine({ sqlite: sql`instr(a, 'b')`, postgres: sql`strpos(a, 'b')`, reason: \"no common name\" });",
      `const word = "like"; // sql\`instr(a, 'b')\``,
    ];
    await using planted = await plant({ "plugins/shelves/src/a.ts": head + lines.join("\n") });
    expect(await portableSqlCheck.find(planted.path)).toEqual([]);
  });
});

it("catches a lock file that npm ci would refuse", async () => {
  const packages = {
    "": {},
    sdk: { dependencies: { zod: "4.6.7" } },
    test: { dependencies: { sdk: "^1.0.0", zod: "4.6.7" }, devDependencies: { semver: "7.8.6" } },
    "node_modules/sdk": { link: true },
    "node_modules/semver": { version: "7.7.4" },
    "test/node_modules/zod": { version: "4.6.7" },
    "node_modules/fast": { version: "1.0.0", optionalDependencies: { "fast-linux": "1.0.0", "fast-windows": "1.0.0" } },
    "node_modules/fast/node_modules/fast-linux": { version: "1.0.0" },
  };
  await using planted = await plant({
    "package-lock.json": JSON.stringify({ packages }),
    "sdk/package.json": JSON.stringify({ dependencies: { zod: "4.6.8" } }),
    "test/package.json": JSON.stringify(packages.test),
  });
  expect(await lockFileCheck.find(planted.path)).toEqual([
    expect.stringMatching(/no entry for fast-windows@1\.0\.0/),
    expect.stringMatching(/disagrees with sdk\/package\.json about dependencies/),
    expect.stringMatching(/has no zod 4\.6\.7 for sdk/),
    expect.stringMatching(/has no semver 7\.8\.6 for test/),
  ]);
});

it("catches a document whose code does not compile, whose JSON is none, or that links nowhere", async () => {
  await using planted = await plant(
    {
      "README.md":
        'See [the guide](sdk/README.md) and [nothing](gone.md).\n\n```ts\nconst count: number = "many";\n```\n\n```json\n{ "id": }\n```\n',
      "sdk/README.md": "```ts\nconst count: number = 1;\n```\n",
    },
    ["node_modules", "tsconfig.base.json"],
  ); // What is compiled is compiled with the real settings and tools.
  const complaints = await documentsCheck.find(planted.path);
  expect(complaints).toEqual([
    expect.stringMatching(/^README\.md:7 is not JSON/),
    expect.stringMatching(/README-md-3\.ts.*error TS2322/s),
    "README.md links to gone.md, which is not there.",
  ]);
  expect(complaints.join("\n")).not.toMatch(/sdk-README/);
});

it.each([
  ["import arrows", arrowsCheck],
  ["words of the kernel", wordsCheck],
  ["status numbers", statusesCheck],
  ["portable SQL", portableSqlCheck],
])("refuses to judge the %s where a folder is missing", async (_, check) => {
  await using planted = await plant({});
  await rm(join(planted.path, "plugins"), { recursive: true });
  await rm(join(planted.path, "kernel"), { recursive: true });
  await expect(check.find(planted.path)).rejects.toThrow(/ENOENT/);
});

describe("promises", () => {
  const test = `const text = "keeps all rows"; // it("keeps all rows")\nit("keeps rows over a restart", () => {});`;
  const document = (marker: string) => `# Kernel\n\nRows are kept.\n${marker}\n\n## Folders\n\nThere are some.\n`;

  it("are held by a test that is there, by a part of its title from the beginning", async () => {
    await using repository = await plant({
      "kernel/README.md": document("<!-- test: kernel/test/a.test.ts, keeps rows -->"),
      "kernel/test/a.test.ts": test,
    });
    expect(await promisesCheck.find(repository.path)).toEqual([]);
  });

  it.each([
    ["a promise without a test", "", "names no test"],
    [
      "a test in a file that is not there",
      "<!-- test: kernel/test/b.test.ts, keeps rows -->",
      "names a test that is not there",
    ],
    ["a test that was renamed", "<!-- test: kernel/test/a.test.ts, keeps lines -->", "names a test that is not there"],
    [
      "a text that is no title",
      "<!-- test: kernel/test/a.test.ts, keeps all rows -->",
      "names a test that is not there",
    ],
    ["a file without a test", "<!-- test: kernel/test/a.test.ts -->", "names a test that is not there"],
    [
      "a row of the table whose test was renamed",
      "<!-- test: kernel/test/a.test.ts, keeps rows -->\n\n## What Longbox promises\n\n| Rows stay | `kernel/test/a.test.ts`: keeps lines |",
      "names a test that is not there",
    ],
  ])("catch %s", async (_, marker, complaint) => {
    await using repository = await plant({ "kernel/README.md": document(marker), "kernel/test/a.test.ts": test });
    expect(await promisesCheck.find(repository.path)).toEqual([
      expect.stringMatching(new RegExp(`^kernel/README\\.md:[38] ${complaint}`)),
    ]);
  });
});
