// Importing reading lists, as a community publishes them, over a library without ids: what of them is owned, and how
// much memory the server has after many of them beside what it has after few.
import { performance } from "node:perf_hooks";
import { Agent, request } from "undici";
import { listFile, type BookSpec } from "../../../../plugins/lists/test/support/list-files.ts";
import { startChild } from "../child.ts";
import { median, percentile, report, residentBytes } from "../measure.ts";

const [series, issues, books] = [400, 50, 80];
const program = `${import.meta.dirname}/../lists-server.ts`;

interface Address {
  readonly url: string;
  readonly key: string;
}

interface Outcome {
  readonly imported: number;
  readonly total: number;
}

interface Import extends Outcome {
  readonly milliseconds: number;
  /** What the server holds afterwards. */
  readonly megabytes: number;
}

export async function reportLists(bench: string, lists: number): Promise<void> {
  await using server = await startChild<Address>(program, [String(series), String(issues)]);
  const agent = new Agent({ connections: 1 });
  const imports: Import[] = [];
  for (let at = 0; at < lists; at++) {
    const begun = performance.now();
    const outcome = await importList(server.ready, at, agent);
    const milliseconds = performance.now() - begun;
    const megabytes = (await residentBytes(server.process.pid!)) / 1024 / 1024;
    imports.push({ ...outcome, milliseconds, megabytes });
  }
  await agent.close();
  reportImports(bench, imports);
}

function reportImports(bench: string, imports: readonly Import[]): void {
  // By then caches are filled and code is compiled.
  const warm = Math.min(300, Math.floor(imports.length / 4));
  const part = Math.ceil(warm / 3);
  const [early, late] = [imports.slice(warm, warm + part), imports.slice(-part)];
  const held = [early, late].map((some) => median(some.map(({ megabytes }) => megabytes))) as [number, number];
  // A few lists only show how caches fill.
  if (imports.length >= 1000)
    report({
      ...{ bench, figure: "memory over the imports", lists: imports.length, books },
      ...{
        megabytesWarm: held[0],
        megabytesAfter: held[1],
        grownMegabytes: held[1] - held[0],
        ratio: held[1] / held[0],
      },
      atMost: { ratio: 1.2 },
      goal: "flat",
    });
  const sum = (of: (one: Import) => number) => imports.reduce((all, one) => all + of(one), 0);
  const [imported, total] = [sum((one) => one.imported), sum((one) => one.total)];
  report({
    ...{ bench, figure: "books of published lists found without ids", imported, total, share: imported / total },
    atLeast: { share: 1 },
    goal: "all that are owned",
  });
  const times = [early, late].map((some) => median(some.map(({ milliseconds }) => milliseconds))) as [number, number];
  const all = imports.map(({ milliseconds }) => milliseconds);
  report({
    ...{ bench, figure: "an import", early: times[0], late: times[1], p95: percentile(all, 0.95) },
    ratio: times[1] / times[0],
    atMost: { ratio: 3 },
    goal: "as fast at the end as at the beginning",
  });
}

async function importList(server: Address, at: number, dispatcher: Agent): Promise<Outcome> {
  const body = listFile(
    Array.from({ length: books }, (_, index): BookSpec => {
      const of = (at * 7 + index * 13) % series;
      const year = String(1960 + (of % 60));
      return { series: `Lantern Street ${of}`, number: String(1 + ((at + index) % issues)), volume: year, year };
    }),
    `List ${at}`,
  );
  const answer = await request(`${server.url}/api/lists/import-cbl`, {
    ...{ method: "POST", body, dispatcher },
    headers: { authorization: `Bearer ${server.key}`, "content-type": "application/octet-stream" },
  });
  if (answer.statusCode !== 200)
    throw new Error(`The import answers ${answer.statusCode}: ${await answer.body.text()}`);
  return (await answer.body.json()) as Outcome;
}
