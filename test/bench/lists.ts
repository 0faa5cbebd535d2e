// Importing 1,700 reading lists, as a community publishes them, over a library without ids: what of them is owned, and how
// much memory the server has after many of them beside what it has after few. LONGBOX_BENCH_LISTS makes it fewer.
import { performance } from "node:perf_hooks";
import { Agent, request } from "undici";
import { listFile, type BookSpec } from "../../plugins/lists/test/support/list-files.ts";
import { startChild } from "./support/child.ts";
import { median, percentile, report, residentBytes } from "./support/measure.ts";

const lists = Number(process.env["LONGBOX_BENCH_LISTS"] ?? 1_700);
const [series, issues, books] = [400, 50, 80];
/** By then caches are filled and code is compiled. */
const warm = Math.min(300, Math.floor(lists / 4));
const agent = new Agent({ connections: 1 });

interface Address {
  readonly url: string;
  readonly key: string;
}

interface Outcome {
  readonly imported: number;
  readonly total: number;
}

const program = `${import.meta.dirname}/support/lists-server.ts`;
await using server = await startChild<Address>(program, [String(series), String(issues)]);
const megabytes = async () => (await residentBytes(server.process.pid!)) / 1024 / 1024;
const outcomes: Outcome[] = [];
const times: number[] = [];
const held = { warm: [] as number[], last: [] as number[] };
for (let at = 0; at < lists; at++) {
  const begun = performance.now();
  outcomes.push(await importList(at));
  times.push(performance.now() - begun);
  if (at >= warm && at < warm * 1.3) held.warm.push(await megabytes());
  if (at >= lists - warm * 0.3) held.last.push(await megabytes());
}
await agent.close();

const [before, after] = [median(held.warm), median(held.last)];
report({
  ...{ bench: "lists", figure: "memory over the imports", lists, books, megabytesWarm: before, megabytesAfter: after },
  grownMegabytes: after - before,
  highestMegabytes: Math.max(...held.warm, ...held.last),
  ratio: after / before,
  atMost: { ratio: 1.2 },
  goal: "flat",
});
const [imported, total] = [sum(({ imported: of }) => of), sum(({ total: of }) => of)];
report({
  ...{ bench: "lists", figure: "books found without ids", imported, total, share: imported / total },
  atLeast: { share: 1 },
  goal: "all that are owned",
});
const [early, late] = [median(times.slice(warm, warm * 2)), median(times.slice(-warm))];
report({
  ...{ bench: "lists", figure: "an import", early, late, p95: percentile(times, 0.95), ratio: late / early },
  atMost: { ratio: 3 },
  goal: "as fast at the end as at the beginning",
});

async function importList(at: number): Promise<Outcome> {
  const body = listFile(
    Array.from({ length: books }, (_, index): BookSpec => {
      const of = (at * 7 + index * 13) % series;
      const year = String(1960 + (of % 60));
      return { series: `Lantern Street ${of}`, number: String(1 + ((at + index) % issues)), volume: year, year };
    }),
    `List ${at}`,
  );
  const answer = await request(`${server.ready.url}/api/lists/import-cbl`, {
    ...{ method: "POST", body, dispatcher: agent },
    headers: { authorization: `Bearer ${server.ready.key}`, "content-type": "application/octet-stream" },
  });
  if (answer.statusCode !== 200)
    throw new Error(`The import answers ${answer.statusCode}: ${await answer.body.text()}`);
  return (await answer.body.json()) as Outcome;
}

function sum(of: (outcome: Outcome) => number): number {
  return outcomes.reduce((all, outcome) => all + of(outcome), 0);
}
