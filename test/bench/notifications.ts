// A page of notifications, of an account among 50 that have 10,000 each.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Agent } from "undici";
import { startChild } from "./support/child.ts";
import { beside, percentile, report } from "./support/measure.ts";
import { get } from "./support/reading-room.ts";

interface Address {
  readonly url: string;
  readonly key: string;
  readonly id: number;
}

const program = `${import.meta.dirname}/support/telling-server.ts`;
const users = 50;
const each = 10_000;

const data = await mkdtemp(join(tmpdir(), "longbox-bench-notifications-"));
try {
  const first = await startChild<Address>(program, [data]);
  const { id } = first.ready;
  await first[Symbol.asyncDispose]();
  await seed(id);
  await using server = await startChild<Address>(program, [data]);
  const { url, key } = server.ready;
  const agent = new Agent({ connections: 1 });
  for (const [figure, path] of [
    ["the newest 50", "?limit=50"],
    ["50 in the middle", `?limit=50&offset=${each / 2}`],
    ["the newest 50 unread", "?limit=50&unread=1"],
  ] as const) {
    const { times, p50, ratio } = await beside(
      () => get(agent, `${url}/healthz`),
      () => get(agent, `${url}/api/notifications${path}`, { "x-api-key": key }),
    );
    report({
      bench: "notifications",
      figure,
      users,
      each,
      p50Ms: p50,
      p99Ms: percentile(times, 0.99),
      slowestMs: percentile(times, 1),
      ratio,
      yardstick: "GET /healthz",
      atMost: { ratio: 40 },
      goal: "under 20 ms",
    });
  }
  await agent.close();
} finally {
  await rm(data, { recursive: true, force: true });
}

/** Half of what each user was told is read. The account of the bench is one of the users. */
async function seed(own: number): Promise<void> {
  const folder = join(data, "plugins/data/notifications");
  const name = (await readdir(folder, { recursive: true })).find((path) => path.endsWith("database.sqlite"))!;
  using database = new DatabaseSync(join(folder, name));
  database
    .prepare(`with recursive n (id) as (select 1 union all select id + 1 from n where id < :rows)
    insert into notice (user_id, at, category, level, title, body, url, join_key, restricted, read, shown)
    select :own + id % :users, 1700000000000 + id * 1000, 'import', 'success', 'Night Bell #' || id || ' is in the library',
      'It came with ' || (id % 7) || ' others', '/issue/' || id, null, 0, id / :users % 2, 1 from n`)
    .run({ own, users, rows: users * each });
  database.exec("analyze");
}
