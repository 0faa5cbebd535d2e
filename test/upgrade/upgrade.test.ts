// Every release leaves a small data folder here (`npm run release:data`). The present server serves each of them as its
// own release did.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answersOf } from "../whole/support/every-answer.ts";
import { expect, it } from "vitest";
import { comparable } from "./support/comparing.ts";
import { unpackRelease } from "./support/packed-release.ts";
import { startRelease } from "./support/server.ts";

const root = join(import.meta.dirname, "../..");
const releases = (await readdir(join(import.meta.dirname, "releases"))).filter((name) => name.endsWith(".zip"));

it.each(releases)("serves the data of %s as that release did", { timeout: 300_000 }, async (name) => {
  const folder = await mkdtemp(join(tmpdir(), "longbox-upgrade-"));
  try {
    const release = await unpackRelease(join(import.meta.dirname, "releases", name), folder);
    await using server = await startRelease(root, join(folder, "data"), release.at);
    const admin = server.as(release.key);
    const failed = (await admin.get("/api/plugins")).body.filter(
      ({ state }: { state: string }) => state === "failed" || state === "quarantined",
    );
    expect(failed).toEqual([]);
    const places = { [server.url]: "server", [folder]: "folder" };
    const answers = comparable(await answersOf(admin, Object.keys(release.answers), places));
    expect(answers).toMatchObject(comparable(release.answers));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
