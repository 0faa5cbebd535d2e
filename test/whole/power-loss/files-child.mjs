// A server whose files are moved and tagged again and again. Says on its output what has been acknowledged, a line
// each.
import { mkdirSync, openSync, fsyncSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { systemViewer } from "@longbox/sdk";
import { startTestHost } from "@longbox/sdk/testing";
import { Catalog } from "@longbox/collection/contract";
import { comicInfoXml, zip } from "@longbox/test/fixtures";

const [, , folder, rounds, comics] = process.argv;
const say = (text) => writeSync(1, `${text}\n`);
const root = join(folder, "library");
const numbers = Array.from({ length: Number(comics) }, (_, index) => index + 1);

function keep(path) {
  fsyncSync(openSync(path, "r"));
}

/** Comics that were copied into the library and kept: what is lost of them afterwards, the server has lost. */
function fill() {
  const messy = join(root, "messy");
  mkdirSync(messy, { recursive: true });
  for (const number of numbers) {
    const page = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from(`page of ${number} `.repeat(400))]);
    const tags = comicInfoXml({ Series: "Moth Patrol", Number: number, Volume: 2019 });
    const path = join(messy, `${number}.cbz`);
    writeFileSync(
      path,
      zip(
        new Map([
          ["1.jpg", page],
          ["ComicInfo.xml", Buffer.from(tags)],
        ]),
      ),
    );
    keep(path);
  }
  for (const path of [messy, root, folder]) keep(path);
}

async function until(condition) {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

fill();
const host = await startTestHost({
  plugins: ["operations", "collection", "files", "comics"],
  storage: "sqlite",
  dataFolder: join(folder, "data"),
  settings: { files: { watchFolders: false } },
});
const admin = host.as("admin");
const call = async (method, path, body) => {
  const answer = await admin[method](path, body);
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const idle = (path) => until(async () => !(await call("get", path)).running);
await call("post", "/api/libraries", { name: "Comics", type: "comic", rootFolder: root });
await until(async () => (await call("get", "/api/collection"))[0]?.owned === numbers.length);
await idle("/api/scan-folder");
const [{ id }] = await call("get", "/api/collection");
const issues = numbers.map((number) => ({ cvIssueId: number, number: String(number) }));
const volume = { cvId: 1, title: "Moth Patrol", year: 2019, aliases: [], status: "ended", issues };
await host.use(Catalog).matchSeries(id, volume, systemViewer);
const nothing = { characters: [], teams: [], locations: [], arcs: [], credits: [] };
say("ready 0");
for (let round = 1; round <= Number(rounds); round += 1) {
  await call("post", "/api/settings", {
    files: { folderPattern: `{series} ${round}`, filePattern: `{series} {issue:3} of ${round}` },
  });
  const { plan } = await call("post", `/api/collection/${id}/refile`, {});
  if (!plan.every((step) => step.status === "move")) throw new Error(JSON.stringify(plan));
  say(`moved ${round}`);
  for (const issue of issues)
    await host.use(Catalog).describeIssue({ ...issue, ...nothing, description: `round ${round}.` });
  await call("post", `/api/collection/${id}/tag`);
  await idle("/api/tag-files");
  const { error } = await call("get", "/api/tag-files");
  if (error !== undefined) throw new Error(error);
  say(`tagged ${round}`);
  await idle("/api/scan-folder");
}
process.exit(0);
