// The search panel over a million issues: how long an answer takes while one types, beside SQLite's own full-text index
// of the same titles, ranked. LONGBOX_BENCH_ISSUES makes it smaller.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Agent, request } from "undici";
import { startChild } from "./support/child.ts";
import { median, percentile, report, timeEach } from "./support/measure.ts";
import { seedCollection } from "./support/seeding/seed-collection.ts";
import { seedDetails } from "./support/seeding/seed-details.ts";

interface Address {
  readonly url: string;
  readonly admin: string;
  readonly viewer: string;
}

interface Typed {
  readonly figure: string;
  readonly words: (at: number) => string;
}

const issues = Number(process.env["LONGBOX_BENCH_ISSUES"] ?? 1_000_000);
const program = `${import.meta.dirname}/support/shelves-server.ts`;
const agent = new Agent({ connections: 1 });
const rounds = 60;
const letters = "abcdefghijklmnopqrstuvwxyz";

/** What is typed: each time something else. */
const typed: readonly Typed[] = [
  { figure: "one letter", words: (at) => letters[at % letters.length]! },
  { figure: "the beginning of a word that thousands have", words: (at) => `lan ${at}`.slice(0, 3 + (at % 2)) },
  { figure: "a title", words: (at) => `silver lantern ${1 + at * 20}` },
  { figure: "a title and a number", words: (at) => `quiet raven ${17 + at * 400} #3` },
  { figure: "two words of an issue's title", words: (at) => `chapter ${at * 311}` },
  { figure: "a person", words: (at) => `writer ${at * 37}` },
  { figure: "a typing error", words: (at) => `silvre lantrn ${1 + at * 20}` },
  { figure: "a word that nothing has", words: (at) => `xyzzyq${letters[at % letters.length]}` },
];

const data = await mkdtemp(join(tmpdir(), "longbox-bench-search-"));
try {
  await (await startChild<Address>(program, [data]))[Symbol.asyncDispose]();
  const collection = await databaseOf(data);
  seedCollection(collection, Math.ceil(issues / 20), issues);
  seedDetails(collection);
  const titles = join(data, "titles.sqlite");
  nameIssues(collection, titles);
  for (const file of await readdir(data, { recursive: true }))
    if (file.endsWith("index.snapshot")) await rm(join(data, file));
  await using server = await startChild<Address>(program, [data]);
  while (!(await get(server.ready, "/api/shelves/status")).ready) await new Promise((go) => setTimeout(go, 200));
  for (const figure of typed) await measure(server.ready, titles, figure);
} finally {
  await agent.close();
  await rm(data, { recursive: true, force: true });
}

async function measure(server: Address, titles: string, { figure, words }: Typed): Promise<void> {
  const path = (at: number) => `/api/search?q=${encodeURIComponent(words(at))}`;
  const own = await timeEach(rounds, (at) => get(server, path(at)), 5);
  using database = new DatabaseSync(titles, { readOnly: true });
  const statement = database.prepare("select rowid from entry where entry match ? order by rank limit 20");
  const terms = (at: number) => words(at).replace(/#.*/, "").trim().split(" ");
  const bare = await timeEach(
    rounds,
    async (at) =>
      statement.all(
        terms(at)
          .map((term) => `"${term}"*`)
          .join(" "),
      ),
    5,
  );
  report({
    bench: "search",
    figure,
    issues,
    p50Ms: median(own),
    p95Ms: percentile(own, 0.95),
    slowestMs: percentile(own, 1),
    bareP50Ms: median(bare),
    // SQLite answers by rank alone: no kinds, no typing errors, nothing of who may see what. A request takes a
    // millisecond.
    ratio: median(own) / (median(bare) + 1),
    yardstick: "FTS5 of the same titles, ranked",
    atMost: { ratio: 60 },
    goal: "p95 under 50 ms",
    ofGoal: percentile(own, 0.95) / 50,
  });
}

async function get({ url, viewer }: Address, path: string): Promise<any> {
  const answer = await request(url + path, { dispatcher: agent, headers: { "x-api-key": viewer } });
  const body: unknown = await answer.body.json();
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${JSON.stringify(body)}`);
  return body;
}

/** Gives every issue a title of its own, and puts all titles into a full-text index of SQLite. */
function nameIssues(collection: string, path: string): void {
  using database = new DatabaseSync(collection);
  database.exec(`attach '${path}' as t; begin;
    update issue set title = 'Chapter ' || (id % 100000) || case id % 4 when 0 then ' of the Lantern' when 1 then ' at Sea' when 2 then ': Part ' || (id % 7) else '' end;
    create virtual table t.entry using fts5 (title, prefix = '1 2 3');
    insert into t.entry (rowid, title) select id, title from series;
    insert into t.entry (rowid, title) select id + 10000000, title from issue;
    commit`);
}

async function databaseOf(folder: string): Promise<string> {
  const home = join(folder, "plugins/data/collection");
  const [file] = (await readdir(home, { recursive: true })).filter((path) => path.endsWith("database.sqlite"));
  return join(home, file as string);
}
