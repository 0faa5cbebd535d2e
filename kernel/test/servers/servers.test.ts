// Two servers of one library: the program twice, on one data folder and a real PostgreSQL.
import { request } from "node:http";
import { fileURLToPath } from "node:url";
import { needs } from "@longbox/test/needs";
import { needsPostgres, startPostgres, type TestPostgres } from "@longbox/test/postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Program } from "../plugins/program.js";
import { httpClient } from "../plugins/requests.js";
import { Bench, temporaryFolder, until, type TinyPlugin } from "../plugins/support.js";
import { balance, nginxProgram } from "./load-balancer.js";
import { Load } from "./load.js";

const operations = fileURLToPath(new URL("../../../plugins/operations", import.meta.url));

const counter = (version: string): TinyPlugin => ({
  id: "counter",
  version,
  manifest: { events: [{ domain: "counted" }] },
  head: `import { migration } from "@longbox/sdk"; import { z } from "zod";`,
  fields: `migrations: [migration("0001-count", async ({ schema, types }) => {
    await schema.createTable("counted").addColumn("number", types.id, (column) => column.primaryKey()).execute();
  })]`,
  activate: `const database = context.storage.database(); let hanging = 0;
    context.routes([
      defineRoute({ method: "GET", path: "/api/counted", access: "viewer", summary: "counts", handle: async () =>
        ({ version: "${version}", numbers: (await database.selectFrom("counted").selectAll().execute()).map(({ number }) => number) }) }),
      defineRoute({ method: "PUT", path: "/api/counted/{number}", access: "viewer", summary: "adds one", params: z.object({ number: z.coerce.number() }),
        handle: async ({ params }) => {
          await database.insertInto("counted").values(params).onConflict((conflict) => conflict.doNothing()).execute();
          context.changed("counted");
          return {};
        } }),
      defineRoute({ method: "POST", path: "/api/echo", access: "viewer", summary: "answers what it was told", body: z.object({ text: z.string() }), handle: ({ body }) => body }),
      defineRoute({ method: "GET", path: "/api/hanging", access: "viewer", summary: "how many hang", handle: () => ({ hanging }) }),
      defineRoute({ method: "POST", path: "/api/hang", access: "viewer", summary: "never answers", handle: () => ((hanging += 1), new Promise(() => {})) }),
    ]);`,
});

/** Its job waits until it is told to end, and says from which checkpoint it went on. */
const worker: TinyPlugin = {
  id: "worker",
  manifest: {
    requires: { "operations.jobs": "^1.0.0" },
    contributes: { resumableJobs: "^1.0.0", schedules: "^1.0.0" },
  },
  head: `const Jobs = contract("operations.jobs", "1.0.0"); const ResumableJobs = extensionPoint("resumableJobs", "1.0.0");
    const Schedules = extensionPoint("schedules", "1.0.0");`,
  fields: `requires: { jobs: Jobs }`,
  activate: `const { jobs } = capabilities; const ended = Promise.withResolvers();
    const work = async (checkpoint, control) => {
      await control.checkpoint({ half: true });
      await ended.promise;
      return "went on from " + JSON.stringify(checkpoint ?? null);
    };
    context.contribute(ResumableJobs, { kind: "worker.work", resume: ({ checkpoint }, control) => work(checkpoint, control) });
    context.contribute(Schedules, { key: "worker.nightly", title: "Nightly", description: "", cron: "0 3 * * *", enabled: true, run: async () => "ran" });
    context.routes([
      defineRoute({ method: "POST", path: "/api/work", access: "viewer", summary: "begins",
        handle: async () => ({ id: (await jobs.run("worker.work", "Work", (control) => work(undefined, control), { input: {}, signal: context.signal })).id }) }),
      defineRoute({ method: "POST", path: "/api/work/end", access: "viewer", summary: "ends", handle: () => (ended.resolve(), {}) }),
    ]);`,
};

const account = { username: "ada", password: "longbox123" };

const follows = ({ log }: Program) => log.some((line) => line.includes("Another server of this library is the leader"));

/** Signs in, and gives the headers of the browser then. */
async function signIn(url: string): Promise<Record<string, string>> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(account),
  });
  expect(answer.status).toBe(200);
  const cookie = answer.headers.getSetCookie().find((one) => one.startsWith("longbox_session="))!;
  return { cookie: cookie.split(";")[0]!, "sec-fetch-site": "same-origin" };
}

/** Tries to sign in from another address of this machine. */
function postFrom(localAddress: string, url: string, body: object): Promise<number | undefined> {
  const { hostname: host, port } = new URL(url);
  const headers = { "content-type": "application/json", host: `${host}:${port}` };
  return new Promise((resolve, reject) => {
    const sent = request({ host, port, localAddress, headers, method: "POST", path: "/api/auth/login" }, (answer) =>
      resolve(answer.resume().statusCode),
    );
    sent.once("error", reject).end(JSON.stringify(body));
  });
}

describe("two servers of one library", { ...needsPostgres, timeout: 240_000 }, () => {
  let bench: Bench;
  let postgres: TestPostgres;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let [leader, follower]: Program[] = [];
  let key: Record<string, string>;

  const start = () =>
    Program.start(
      { LONGBOX_DATA: `${folder.path}/data`, LONGBOX_DATABASE: postgres.url, LONGBOX_REGISTRY: bench.registry.url },
      ["--plugin", operations],
    );
  const client = (program: Program) => httpClient(program.url, key);

  beforeAll(async () => {
    [bench, postgres, folder] = await Promise.all([Bench.open(), startPostgres("durable"), temporaryFolder()]);
    for (const plugin of [counter("1.0.0"), counter("1.1.0"), worker]) await bench.publish(plugin);
    leader = await start();
    follower = await start();
    await until(() => follows(follower!));
    expect((await leader.admin.post("/api/auth/register", account)).status).toBe(200);
    const browser = await signIn(follower.url);
    const made = await httpClient(follower.url, browser).post("/api/auth/apikey");
    expect(made).toMatchObject({ status: 200 });
    key = { "x-api-key": (made.body as { key: string }).key };
    for (const name of ["@longbox-test/counter@1.0.0", "@longbox-test/worker@1.0.0"]) {
      const at = name.lastIndexOf("@");
      const request = { name: name.slice(0, at), version: name.slice(at + 1), accept: true };
      const installed = await client(follower).post("/api/plugins/install", request, 60_000);
      expect(installed, JSON.stringify(installed.body)).toMatchObject({ status: 200 });
    }
  }, 240_000);

  afterAll(async () => {
    for (const part of [leader, follower, postgres, bench, folder]) await part?.[Symbol.asyncDispose]();
  });

  it("both answer for all plugins, settings and accounts, and both refuse what was revoked at either", async () => {
    const [one, other] = [client(leader!), client(follower!)];
    expect((await one.get("/api/plugins")).body).toEqual((await other.get("/api/plugins")).body);
    const browser = await signIn(leader!.url);
    const asBrowser = (program: Program) => httpClient(program.url, browser);
    for (const program of [leader!, follower!]) expect((await asBrowser(program).get("/api/auth/me")).status).toBe(200);
    const set = await fetch(`${follower!.url}/api/settings`, {
      method: "POST",
      headers: { ...key, "content-type": "application/json" },
      body: JSON.stringify({ server: { registration: true } }),
    });
    expect(set.status).toBe(200);
    // Not only within a second: at once.
    expect((await one.get("/api/settings")).body).toMatchObject({ server: { registration: true } });
    expect((await asBrowser(follower!).post("/api/auth/logout")).status).toBeLessThan(300);
    for (const program of [leader!, follower!]) expect((await asBrowser(program).get("/api/counted")).status).toBe(401);
  });

  it("each says whether it leads", async () => {
    const health = async (program: Program) => (await client(program).get("/healthz")).body;
    expect([await health(leader!), await health(follower!)]).toEqual([
      { ok: true, role: "leader" },
      { ok: true, role: "follower" },
    ]);
  });

  it("a change that is made through one is heard at the other within a second", async () => {
    for (const [at, through] of [
      [follower!, leader!],
      [leader!, follower!],
    ] as const) {
      const tookMs: number[] = [];
      // A machine that is busy with other tests may be late now and then.
      while (tookMs.length < 5 && Math.min(...tookMs) > 1_000) tookMs.push(await timeEvent(at, through));
      expect(Math.min(...tookMs)).toBeLessThan(1_000);
    }
  });

  /** How long it takes until a change that is made through one server is heard at another. */
  async function timeEvent(at: Program, through: Program): Promise<number> {
    const abort = new AbortController();
    const stream = await fetch(`${at.url}/api/events`, { headers: key, signal: abort.signal });
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    const startedAt = performance.now();
    const changed = await fetch(`${through.url}/api/counted/0`, { method: "PUT", headers: key });
    expect(changed.status).toBe(200);
    for (let text = ""; !text.includes("counted");) text += (await reader.read()).value;
    abort.abort();
    return performance.now() - startedAt;
  }

  it("count a client by the address that the first server saw", async () => {
    const wrong = { username: "ada", password: "not-hers-123" };
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect(await postFrom("127.0.0.9", follower!.url, wrong)).toBe(401);
    expect(await postFrom("127.0.0.9", follower!.url, wrong)).toBe(429);
    expect((await client(leader!).get("/api/users/lockouts")).body).toMatchObject([
      { kind: "pair", username: "ada", address: "127.0.0.9" },
    ]);
  });

  it("pass on bodies and answers that are longer than what is held, of known and unknown length", async () => {
    const text = "a page ".repeat(60_000);
    const body = JSON.stringify({ text });
    const headers = { ...key, "content-type": "application/json" };
    const parts = new Blob([body]).stream();
    for (const sent of [{ body }, { body: parts, duplex: "half" as const }]) {
      const answer = await fetch(`${follower!.url}/api/echo`, { method: "POST", headers, ...sent });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ text });
    }
    const head = await fetch(`${follower!.url}/api/counted`, { method: "HEAD", headers: key });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  it("refuse requests that claim to come from another server", async () => {
    const forged = { ...key, "x-longbox-peer": "guessed", "x-longbox-peer-address": "127.0.0.1" };
    for (const program of [leader!, follower!]) {
      const answer = await fetch(`${program.url}/api/counted`, { headers: forged });
      expect(answer.status).toBe(421);
    }
  });

  it(
    "behind nginx, an upgrade and the death of the leader fail no request of the other, and jobs and schedules go on",
    needs(nginxProgram, "nginx is not installed"),
    async () => {
      const [one, other] = [leader!, follower!];
      const { id } = (await client(other).post("/api/work")).body as { id: number };
      const job = async () => (await client(other).get(`/api/jobs/${id}`)).body as { state: string; message: string };
      await until(async () => (await job()).state === "running");
      await using balancer = await balance(folder.path, [one.url, other.url]);
      const load = new Load([balancer.url, other.url], key);
      const name = "@longbox-test/counter";
      const upgrade = { name, version: "1.1.0", accept: true };
      expect(await client(other).post("/api/plugins/install", upgrade, 60_000)).toMatchObject({ status: 200 });
      await until(() => (load.versions.get("1.1.0") ?? 0) > 20);
      const hanging = client(other).post("/api/hang", {}, 60_000);
      await until(async () => ((await client(other).get("/api/hanging")).body as { hanging: number }).hanging === 1);

      await one.kill();
      const before = load.written.length;
      await until(() => load.written.length > before + 20);
      await load.end();
      expect(load.failures).toEqual([]);
      expect(load.versions.get("1.0.0")).toBeGreaterThan(0);
      // Whether it was carried out cannot be known.
      expect(await hanging).toMatchObject({ status: 503, body: { code: "kernel/leader-lost" } });

      const { numbers } = (await client(other).get("/api/counted")).body as { numbers: number[] };
      expect(load.written.filter((number) => !numbers.includes(number))).toEqual([]);
      expect(await client(other).post("/api/work/end")).toMatchObject({ status: 200 });
      await until(async () => (await job()).state !== "running");
      expect(await job()).toMatchObject({ state: "done", message: `went on from {"half":true}` });
      const schedules = (await client(other).get("/api/schedules")).body as { key: string; nextRunAt?: string }[];
      expect(schedules.find((schedule) => schedule.key === "worker.nightly")?.nextRunAt).toEqual(expect.any(String));
    },
  );

  it("the one that died comes back as the follower, and takes over when the other is stopped", async () => {
    const back = await start();
    [leader, follower] = [follower, back];
    await until(() => follows(back));
    expect((await client(back).get("/api/counted")).status).toBe(200);
    const load = new Load([back.url], key);
    await leader![Symbol.asyncDispose]();
    const before = load.written.length;
    await until(() => load.written.length > before + 20);
    await load.end();
    expect(load.failures).toEqual([]);
  });
});
