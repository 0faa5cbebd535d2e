// Who is the leader, when connections to a real PostgreSQL break.
import { randomUUID } from "node:crypto";
import { needsPostgres, startPostgres, type TestPostgres } from "@longbox/test/postgres";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Leadership } from "../../dist/servers/leadership.js";
import { connectAdvisoryLock } from "../../dist/storage/index.js";
import { until } from "../plugins/support.js";

/** Two servers of a library, with the names of their connections. */
function twoServers(url: string) {
  const key = randomUUID();
  const server = () => {
    const holder = `longbox ${randomUUID()}`;
    return { holder, leadership: new Leadership(() => connectAdvisoryLock(url, { key, holder })) };
  };
  return [server(), server()] as const;
}

async function inServer(url: string, text: string, values: readonly unknown[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(text, [...values]).finally(() => client.end());
  return rows;
}

const endConnection = (url: string, holder: string) =>
  inServer(url, "select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1", [holder]);

/** Whether the server has the lock; with `granted` false, whether it waits for it. */
const holds = async (url: string, holder: string, granted = true) =>
  (
    await inServer(
      url,
      "select 1 from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory' and granted = $2 and application_name = $1",
      [holder, granted],
    )
  ).length > 0;

describe("the leadership", needsPostgres, () => {
  let server: TestPostgres;
  beforeAll(async () => void (server = await startPostgres()), 120_000);
  afterAll(() => server[Symbol.asyncDispose]());

  it("is taken again by the same server when its connection breaks, and by another one when it ends", async () => {
    const { url } = server;
    const [one, other] = twoServers(url);
    expect(await one.leadership.tryTake()).toBe(true);
    let isLost = false;
    one.leadership.keep(() => (isLost = true));
    await endConnection(url, one.holder);
    // The database server is away for a moment.
    await server.stop();
    await server.start();
    await until(() => holds(url, one.holder));
    expect(isLost).toBe(false);
    const taking = other.leadership.take();
    await one.leadership.release();
    await taking;
    await other.leadership.release();
  });

  it("is lost to a server that waited for it while the connection was broken", async () => {
    const { url } = server;
    const [one, other] = twoServers(url);
    expect(await one.leadership.tryTake()).toBe(true);
    const taking = other.leadership.take();
    const lost = new Promise<void>((resolve) => one.leadership.keep(resolve));
    await until(() => holds(url, other.holder, false));
    await endConnection(url, one.holder);
    await Promise.all([taking, lost]);
    expect(await holds(url, other.holder)).toBe(true);
    await one.leadership.release();
    await other.leadership.release();
  });
});
