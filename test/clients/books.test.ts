import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { needs } from "@longbox/test/needs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBookRoom, type BookRoom } from "../../plugins/books/test/support/book-room.ts";
import { epub } from "../../plugins/books/test/support/epub.ts";
import { hasProgram, run, startProxy } from "./support.js";

const account = { username: "curl", password: "a long password 4711" };
const saltRoad = epub({ text: Array.from({ length: 4000 }, (_, line) => `Line ${line} of the salt road.`).join(" ") });

let room: BookRoom;
beforeAll(async () => {
  room = await openBookRoom({ fill: (root) => writeFile(join(root, "salt.epub"), saltRoad) });
  expect((await room.host.as("admin").post("/api/users", { ...account, role: "viewer" })).status).toBeLessThan(300);
});
afterAll(() => room[Symbol.asyncDispose]());

describe("a book", needs(hasProgram("curl"), "curl is not installed"), () => {
  it("is fetched by curl in parts, and a download that was broken off is resumed", async () => {
    const address = `${room.host.url}/api/ebooks/issue/${await room.idOf("salt.epub")}/file?dl=1`;
    const user = ["--silent", "--show-error", "--fail", "--user", `${account.username}:${account.password}`];
    const [part, whole] = [join(room.root, ".part"), join(room.root, ".whole")];
    expect(await run("curl", [...user, "--range", "100-299", "--output", part, address])).toMatchObject({ code: 0 });
    expect((await readFile(part)).equals(saltRoad.subarray(100, 300))).toBe(true);
    await writeFile(whole, saltRoad.subarray(0, 1000));
    const resumed = await run("curl", [...user, "--continue-at", "-", "--output", whole, address]);
    expect(resumed).toMatchObject({ code: 0, errors: "" });
    expect((await readFile(whole)).equals(saltRoad)).toBe(true);
  });
});

describe("the catalog", needs(hasProgram("calibre-debug"), "calibre is not installed"), () => {
  it("gives calibre the book that it searches for, which calibre can read", async () => {
    await using proxy = await startProxy(room.host.url, room.host.as("viewer").key!);
    const description = `${proxy.url}/api/opds/opensearch.xml`;
    const script = join(import.meta.dirname, "search-by-calibre.py");
    const { output, errors } = await run("calibre-debug", [script, "--", description, "salt"]);
    const line = output.split("\n").find((candidate) => candidate.startsWith("RESULT "));
    expect(line, errors).toBeDefined();
    const [found] = JSON.parse(line!.slice("RESULT ".length)) as Array<{ title: string; downloads: object }>;
    expect(found).toMatchObject({ title: "The Salt Road", author: expect.stringContaining("Ada Quill") });
    const [format, address] = Object.entries(found!.downloads)[0] as [string, string];
    expect(format.toLowerCase()).toBe("epub");
    const fetched = join(room.root, ".fetched.epub");
    await writeFile(fetched, Buffer.from(await (await fetch(address)).arrayBuffer()));
    expect((await run("ebook-meta", [fetched])).output).toMatch(/Title\s*: The Salt Road/u);
  });
});
