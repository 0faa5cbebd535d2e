import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDoor, type OpenDoor } from "./open-door.js";

const page = { accept: "text/html,application/xhtml+xml" };

async function write(door: OpenDoor, folder: string, files: Record<string, string>): Promise<string> {
  const root = join(door.folder, folder);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(root, name, ".."), { recursive: true });
    await writeFile(join(root, name), text);
  }
  return root;
}

describe("the web UI", () => {
  const site = { "index.html": "<!doctype html>shell", "assets/app-a1b2c3d4.js": "export {}", "icon.svg": "<svg/>" };

  it("is served at the root, with its page for every path that a browser opens", async () => {
    await using door = await openDoor();
    door.door.files.site(await write(door, "site", site));
    for (const path of ["/", "/series/7", "/read/12?page=3"]) {
      const answer = await door.ask(path, { headers: page });
      expect([path, answer.status, answer.text]).toEqual([path, 200, "<!doctype html>shell"]);
      expect(answer.headers["content-security-policy"]).toContain("script-src 'self';");
      expect(answer.headers["content-security-policy"]).not.toContain("unsafe");
      expect(answer.headers).toMatchObject({
        "content-type": "text/html;charset=utf-8",
        "cache-control": "no-cache",
        "x-frame-options": "DENY",
      });
    }
  });

  it("never stands in for the interface, nor for a file that is not there", async () => {
    await using door = await openDoor();
    door.door.files.site(await write(door, "site", site));
    for (const [path, headers] of [
      ["/api/nothing", page],
      ["/api", page],
      ["/assets/none.js", page],
      ["/series/7", { accept: "application/json" }],
      ["/plugins/x/y/z", page],
    ] as const) {
      const answer = await door.ask(path, { headers });
      expect([path, answer.status, answer.body?.code]).toEqual([path, 404, "kernel/no-such-path"]);
    }
    expect((await door.ask("/series/7", { method: "POST", headers: page })).status).toBe(404);
  });

  it("has a plain page of the kernel in its place while there is none, for browsers that open a page alone", async () => {
    await using door = await openDoor();
    for (const path of ["/", "/series/7"]) {
      const answer = await door.ask(path, { headers: page });
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.text).toContain("There is no web interface");
      expect(answer.headers["content-security-policy"]).toMatch(
        /^default-src 'none'; style-src 'sha256-.*connect-src 'self'/,
      );
      expect(answer.headers).toMatchObject({ "cache-control": "no-store", "x-bare-page": "1" });
    }
    for (const [path, headers] of [
      ["/api/nothing", page],
      ["/icon.svg", page],
      ["/series/7", { accept: "application/json" }],
      ["/plugins/x/y/z", page],
    ] as const)
      expect([path, (await door.ask(path, { headers })).status]).toEqual([path, 404]);
  });

  it("lets files whose name changes with their content be kept for ever", async () => {
    await using door = await openDoor();
    door.door.files.site(await write(door, "site", site));
    expect((await door.ask("/assets/app-a1b2c3d4.js")).headers["cache-control"]).toBe(
      "public, max-age=31536000, immutable",
    );
    expect((await door.ask("/icon.svg")).headers["cache-control"]).toBe("no-cache");
  });

  it("stays inside its folder", async () => {
    await using door = await openDoor();
    await write(door, ".", { "secret.txt": "secret" });
    door.door.files.site(await write(door, "site", site));
    for (const path of ["/../secret.txt", "/%2e%2e/secret.txt", "/assets/../../secret.txt", "/..%2fsecret.txt"]) {
      const answer = await door.ask(path);
      expect([path, answer.status, answer.text.includes("secret\n") || answer.text === "secret"]).toEqual([
        path,
        404,
        false,
      ]);
    }
  });

  it("vanishes with its plugin", async () => {
    await using door = await openDoor();
    const served = door.door.files.site(await write(door, "site", site));
    await served.release();
    expect((await door.ask("/", { headers: page })).text).toContain("There is no web interface");
    expect((await door.ask("/icon.svg", { headers: page })).status).toBe(404);
  });
});

describe("a plugin's client files", () => {
  const files = {
    "dist/index.js": "server code",
    "client/shelves.js": "client code",
    "client/shelves.css": "a{}",
    "client/parts/one.js": "part",
    "package.json": "{}",
  };

  it("are served from the folders of what the manifest names, and nothing else of the package is", async () => {
    await using door = await openDoor();
    door.door.files.assets("shelves/abc123", await write(door, "package", files), [
      "client/shelves.js",
      "client/shelves.css",
    ]);
    const answer = await door.ask("/plugins/shelves/abc123/client/shelves.js");
    expect(answer).toMatchObject({
      status: 200,
      text: "client code",
      headers: {
        "cache-control": "public,max-age=31536000,immutable",
        "content-type": "text/javascript",
        "x-content-type-options": "nosniff",
      },
    });
    expect((await door.ask("/plugins/shelves/abc123/client/parts/one.js")).text).toBe("part");
    for (const path of [
      "dist/index.js",
      "package.json",
      "client/../dist/index.js",
      "client/%2e%2e/package.json",
      "client/",
    ]) {
      expect([path, (await door.ask(`/plugins/shelves/abc123/${path}`)).status]).toEqual([path, 404]);
    }
  });

  it("are those of the hash in the address, while that version runs", async () => {
    await using door = await openDoor();
    const old = door.door.files.assets("shelves/old", await write(door, "one", { "client/a.js": "old" }), [
      "client/a.js",
    ]);
    door.door.files.assets("shelves/new", await write(door, "two", { "client/a.js": "new" }), ["client/a.js"]);
    expect([
      (await door.ask("/plugins/shelves/old/client/a.js")).text,
      (await door.ask("/plugins/shelves/new/client/a.js")).text,
    ]).toEqual(["old", "new"]);
    await old.release();
    expect([
      (await door.ask("/plugins/shelves/old/client/a.js")).status,
      (await door.ask("/plugins/shelves/new/client/a.js")).status,
    ]).toEqual([404, 200]);
  });
});
