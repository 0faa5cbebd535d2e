import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { localPath, whyUnreadable } from "../src/clients/path-mapping.js";

const mappings = [
  { remote: "/downloads", local: "/mnt/nas" },
  { remote: "/downloads/comics/", local: "/mnt/comics" },
  { remote: "D:\\Usenet\\", local: "/mnt/windows" },
  { remote: "\\\\nas\\share", local: "/mnt/share" },
];

describe("a path of a client on another machine", () => {
  it.each([
    ["/downloads/films/A", "/mnt/nas/films/A"],
    ["/downloads/comics/Moth Patrol 003", "/mnt/comics/Moth Patrol 003"],
    ["/downloads", "/mnt/nas"],
    ["/downloads2/A", "/downloads2/A"],
    ["/elsewhere/A/", "/elsewhere/A"],
    ["d:\\usenet\\Moth Patrol\\003.cbz", "/mnt/windows/Moth Patrol/003.cbz"],
    ["\\\\nas\\share\\A", "/mnt/share/A"],
    ["/downloads/comics/../../etc/passwd", "/etc/passwd"],
    ["/Downloads/A", "/Downloads/A"],
  ])("%s is %s here", (remote, local) => expect(localPath(remote, mappings)).toBe(local));

  it("may be mapped from the root", () =>
    expect(localPath("/a/b", [{ remote: "/", local: "/mnt/other" }])).toBe("/mnt/other/a/b"));
});

it("says why a folder cannot be read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "longbox-mapping-"));
  try {
    const file = join(folder, "file");
    await writeFile(file, "");
    expect(await whyUnreadable(folder)).toBeUndefined();
    expect(await whyUnreadable(file)).toBe("is not a folder");
    expect(await whyUnreadable(join(folder, "none"))).toBe("does not exist on this server");
    expect(await whyUnreadable("C:/Downloads")).toBe("is not a path of this server");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
