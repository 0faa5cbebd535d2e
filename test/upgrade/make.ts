// `npm run release:data -- [NAME [CHECKOUT]]`: keeps the data folder of a release, as small as can be, for
// `upgrade.test.ts`. CHECKOUT is a built checkout of an earlier commit; without it, this one is kept. The data are
// those of `support/filling.ts`.
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { showcase, writeLibrary } from "@longbox/test/fixtures";
import kernel from "../../kernel/package.json" with { type: "json" };
import { answersOf, listPaths } from "../whole/support/every-answer.ts";
import { comparable, isOfData } from "./support/comparing.ts";
import { fillServer } from "./support/filling.ts";
import { packRelease, settle } from "./support/packed-release.ts";
import { startRelease } from "./support/server.ts";

const here = resolve(import.meta.dirname, "../..");
const [name = `kernel-${kernel.version}`, checkout = here] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "longbox-release-"));
const file = join(import.meta.dirname, "releases", `${name}.zip`);
try {
  await writeLibrary(join(folder, "comics"), showcase.slice(0, 3));
  await settle(folder);
  const at = Date.now();
  const key = await fill(at);
  // The answers are those after a restart, which is what they are compared with.
  await using server = await startRelease(resolve(checkout), join(folder, "data"), at);
  const admin = server.as(key);
  const paths = (await listPaths(admin)).filter(isOfData);
  const answers = await answersOf(admin, paths, { [server.url]: "server", [folder]: "folder" });
  await server[Symbol.asyncDispose]();
  await packRelease(file, { at, key, folder, answers: comparable(answers) });
  process.stdout.write(`${file}: ${(await stat(file)).size} bytes, ${Object.keys(answers).length} answers\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function fill(at: number): Promise<string> {
  await using server = await startRelease(resolve(checkout), join(folder, "data"), at);
  return await fillServer(server, join(folder, "comics"));
}
