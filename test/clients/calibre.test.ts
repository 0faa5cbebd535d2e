import { join } from "node:path";
import { needs } from "@longbox/test/needs";
import { expect, it } from "vitest";
import { hasProgram, run, startProxy, startShelf } from "./support.js";

it(
  "calibre finds issues by searching the OPDS catalog, and can fetch what it found",
  needs(hasProgram("calibre-debug"), "calibre is not installed"),
  async () => {
    await using shelf = await startShelf();
    await using proxy = await startProxy(shelf.host.url, shelf.host.as("viewer").key!);
    const root = await (await fetch(`${proxy.url}/api/opds`)).text();
    const description = new URL(
      /rel="search"[^>]*href="([^"]+)"|href="([^"]+)"[^>]*rel="search"/.exec(root)!.slice(1).find(Boolean)!,
      proxy.url,
    ).href;

    const { output, errors } = await run("calibre-debug", [
      join(import.meta.dirname, "search-by-calibre.py"),
      "--",
      description,
      "moth",
    ]);
    const line = output.split("\n").find((candidate) => candidate.startsWith("RESULT "));
    expect(line, errors).toBeDefined();
    const found = JSON.parse(line!.slice("RESULT ".length)) as Array<{
      title: string;
      author: string;
      downloads: Record<string, string>;
      cover: string;
    }>;

    expect(found).toHaveLength(3);
    expect(found[0]).toMatchObject({
      title: expect.stringContaining("Moth Patrol"),
      author: expect.stringContaining("Ada Quill"),
    });
    const [format, address] = Object.entries(found[0]!.downloads)[0]!;
    expect(format.toLowerCase()).toBe("cbz");
    const file = await fetch(address);
    expect(file.status).toBe(200);
    expect(new Uint8Array(await file.arrayBuffer()).subarray(0, 4)).toEqual(new Uint8Array([0x50, 0x4b, 3, 4]));
    expect((await fetch(found[0]!.cover)).headers.get("content-type")).toMatch(/^image\//);
  },
);
