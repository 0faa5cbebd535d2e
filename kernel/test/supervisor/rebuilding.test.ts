// Plugins that run from a folder under development, and are built again while the server runs.
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Program } from "../plugins/program.js";
import { temporaryFolder } from "../plugins/support.js";

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;

const manifest = { id: "shelf", title: "Shelf", description: "Answers", sdk: "^1.0.0" };
const packageJson = (longbox: object = {}) =>
  JSON.stringify({
    name: "shelf",
    version: "1.0.0",
    type: "module",
    exports: "./dist/index.js",
    keywords: ["longbox-plugin"],
    longbox: { ...manifest, ...longbox },
  });
const answering = (answer: string, head = "", fields = "") => `import { definePlugin, defineRoute } from "@longbox/sdk";
${head}
export default definePlugin({ ${fields} activate: (_, context) => context.routes([
  defineRoute({ method: "GET", path: "/api/shelf", summary: "Answers", handle: async () => (${answer}) })]) });`;

describe("a folder under development", () => {
  let place: Folder;
  let built: string;
  let program: Program;

  const write = async (file: string, text: string) => {
    await mkdir(path.dirname(path.join(built, file)), { recursive: true });
    await writeFile(path.join(built, file), text);
  };
  const answer = async () => (await program.admin.get("/api/shelf")).body;
  const answers = (expected: unknown) => expect.poll(answer, { timeout: 60_000 }).toEqual(expected);
  const told = (text: string | RegExp) => expect.poll(() => program.log.join("\n"), { timeout: 60_000 }).toMatch(text);

  beforeEach(async () => {
    place = await temporaryFolder();
    built = path.join(place.path, "shelf");
    await write("package.json", packageJson());
    await write("dist/index.js", answering(`{ build: 1 }`));
    program = await Program.start({ LONGBOX_DATA: path.join(built, "data"), LONGBOX_REGISTRY: "http://127.0.0.1:9/" }, [
      "--plugin",
      built,
    ]);
  }, 120_000);
  afterEach(async () => {
    await program[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });

  it(
    "is watched: a new build takes the place of the one before, whichever of its files has changed",
    { timeout: 240_000 },
    async () => {
      await answers({ build: 1 });
      const head = `import { words } from "./words.js";\nimport data from "./data.json" with { type: "json" };\nimport old from "./old.cjs";`;
      await write("dist/words.js", `export const words = "a";`);
      await write("dist/data.json", `{ "of": 1 }`);
      await write("dist/old.cjs", `module.exports = { word: require("./older.cjs") };`);
      await write("dist/older.cjs", `module.exports = "x";`);
      await write("dist/index.js", answering(`{ words, data, old }`, head));
      await answers({ words: "a", data: { of: 1 }, old: { word: "x" } });
      await write("dist/words.js", `export const words = "b";`);
      await answers({ words: "b", data: { of: 1 }, old: { word: "x" } });
      await write("dist/data.json", `{ "of": 2 }`);
      await answers({ words: "b", data: { of: 2 }, old: { word: "x" } });
      await write("dist/older.cjs", `module.exports = "y";`);
      await answers({ words: "b", data: { of: 2 }, old: { word: "y" } });
      // Builds begin with an empty folder.
      await rm(path.join(built, "dist"), { recursive: true });
      await write("dist/index.js", answering(`{ build: 2 }`));
      await answers({ build: 2 });
      await write("package.json", packageJson({ title: "Shelves" }));
      await expect
        .poll(async () => (await program.admin.get("/api/plugins")).body[0].title, { timeout: 60_000 })
        .toBe("Shelves");
    },
  );

  it(
    "serves on with the build before when a new one does not start, and the log says why",
    { timeout: 240_000 },
    async () => {
      await write("dist/index.js", `import "./nowhere.js";`);
      await told(/new build of ."shelf." is not in use.*nowhere/);
      await answers({ build: 1 });
      await write("package.json", "{");
      await told(/is not JSON/);
      await answers({ build: 1 });
      await write("package.json", packageJson({ id: "rack" }));
      await told(/is called ."rack." now/);
      await answers({ build: 1 });
      await write("package.json", packageJson());
      await write("dist/index.js", answering(`{ build: 2 }`));
      await answers({ build: 2 });
    },
  );

  it("keeps its data, and brings it to the new build with its migrations", { timeout: 240_000 }, async () => {
    const lamp = (name: string, sql: string) =>
      `rawMigration(${JSON.stringify(name)}, { sqlite: [${JSON.stringify(sql)}], postgres: [${JSON.stringify(sql)}], reason: "a test" })`;
    const first = lamp("0001", "CREATE TABLE lamp (watt integer)");
    const database = `import { rawMigration } from "@longbox/sdk";`;
    const rows = `await context.storage.database().selectFrom("lamp").selectAll().execute()`;
    await write("dist/index.js", answering(rows, database, `migrations: [${first}],`));
    await answers([]);
    const second = lamp("0002", "INSERT INTO lamp (watt) VALUES (40)");
    await write("dist/index.js", answering(rows, database, `migrations: [${first}, ${second}],`));
    await answers([{ watt: 40 }]);
    await write("dist/index.js", answering(`{ lamps: ${rows} }`, database, `migrations: [${first}, ${second}],`));
    await answers({ lamps: [{ watt: 40 }] });
  });

  it("has stacks that name the lines of the sources", { timeout: 240_000 }, async () => {
    const code = answering(`(() => { throw new Error("dark") })()`);
    await write("dist/index.js", `${code}\n//# sourceMappingURL=index.js.map`);
    await write(
      "dist/index.js.map",
      sourceMap({ source: "../src/lamp.ts", lines: code.split("\n").length, shiftedBy: 40 }),
    );
    await expect.poll(async () => (await program.admin.get("/api/shelf")).status, { timeout: 60_000 }).toBe(500);
    await told(/dark[^]*shelf\/src\/lamp\.ts:44/);
  });
});

/** A map in which each line comes from a line of `source` that lies `shiftedBy` below. */
function sourceMap({ source, lines, shiftedBy }: { source: string; lines: number; shiftedBy: number }): string {
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const encoded = (value: number): string => {
    const low = value & 31;
    return value > 31 ? digits[low | 32]! + encoded(value >> 5) : digits[low]!;
  };
  const first = `AA${encoded(shiftedBy << 1)}A`;
  const mappings = [first, ...Array.from({ length: lines - 1 }, () => "AACA")].join(";");
  return JSON.stringify({ version: 3, file: "index.js", sources: [source], names: [], mappings });
}
