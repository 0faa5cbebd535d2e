import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { runsLongTests } from "@longbox/test/needs";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { definePlugin } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { Program } from "../plugins/program.js";
import { answering, Bench, install, temporaryFolder, until, type TinyPlugin } from "../plugins/support.js";

interface Heard {
  readonly domain: string;
  readonly id: string;
}

type Ask = (headers: Record<string, string>, signal: AbortSignal) => Promise<Response>;

/** A client as the standard describes it: it comes back with the id of the last event, and counts what it hears. */
class StreamClient {
  readonly heard: Heard[] = [];
  lastEventId: string | undefined;
  #abort = new AbortController();
  #reading: Promise<void> = Promise.resolve();
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  async connect(): Promise<void> {
    this.#abort = new AbortController();
    const headers = this.lastEventId === undefined ? undefined : { "last-event-id": this.lastEventId };
    const answer = await this.#ask(headers ?? {}, this.#abort.signal);
    expect(answer.status).toBe(200);
    this.#reading = this.#read(answer.body!);
  }

  async disconnect(): Promise<void> {
    this.#abort.abort();
    await this.#reading;
  }

  get domains(): string[] {
    return this.heard.map(({ domain }) => domain);
  }

  get numbers(): number[] {
    return this.heard.map(({ id }) => Number(id.split("-")[2]));
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    let text = "";
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body) {
        const blocks = (text + decoder.decode(chunk, { stream: true })).split("\n\n");
        text = blocks.pop()!;
        for (const block of blocks) this.#hear(block);
      }
    } catch {
      // The connection ended; the client comes back when the test says so.
    }
  }

  #hear(block: string): void {
    this.lastEventId = /^id: (.*)$/m.exec(block)?.[1] ?? this.lastEventId;
    const domain = /^event: (.*)$/m.exec(block)?.[1];
    if (domain !== undefined) this.heard.push({ domain, id: this.lastEventId! });
  }
}

const counting = (n: number) => Array.from({ length: n }, (_, at) => at + 1);

/** A plugin with a domain of its own, which it announces when it is told to. */
function announcer() {
  const context: { changed(domain: string): void }[] = [];
  const plugin = definePlugin({ activate: (_, given) => void context.unshift(given) });
  const manifest = { id: "teller", title: "T", description: "", sdk: "^1.0.0", events: [{ domain: "tales" }] };
  return { plugins: [{ manifest, plugin }], tell: () => context[0]!.changed("tales") };
}

async function clientOf(host: KernelTestHost): Promise<StreamClient> {
  const account = (await host.kernel.access.accounts.findByName("viewer"))!;
  const key = await host.kernel.access.keys.replace(account.id);
  return new StreamClient((headers, signal) =>
    fetch(`${host.url}/api/events`, { headers: { ...headers, "x-api-key": key }, signal }),
  );
}

it("a client that comes back after a restart hears what it missed, and nothing twice", async () => {
  const { plugins, tell } = announcer();
  await using host = await startKernelTestHost({ plugins });
  const client = await clientOf(host);
  await client.connect();
  tell();
  await until(() => client.domains.includes("tales"));
  await client.disconnect();
  const before = client.heard.length;
  tell();
  await host.restart();
  await client.connect();
  await until(() => client.domains.filter((domain) => domain === "tales").length === 2);
  expect(client.domains).not.toContain("reset");
  expect(client.domains.slice(before).filter((domain) => domain === "tales")).toHaveLength(1);
  expect(client.numbers).toEqual(counting(client.heard.length));
  await client.disconnect();
});

it("a client is told that history is gone only when the server ended without keeping it, and goes on counting", async () => {
  const { plugins, tell } = announcer();
  await using host = await startKernelTestHost({ plugins });
  const client = await clientOf(host);
  await client.connect();
  tell();
  await until(() => client.domains.includes("tales"));
  await client.disconnect();
  await host.stop();
  // As after a crash.
  await rm(path.join(host.dataFolder, "plugins", "events.json"));
  await host.restart();
  await client.connect();
  await until(() => client.domains.includes("reset"));
  tell();
  await until(() => client.domains.at(-1) === "tales");
  expect(client.numbers).toEqual(counting(client.heard.length));
  await client.disconnect();
});

const operations = runsLongTests ? 200 : 20;
/** Each of so many operations is followed by a change that no plugin has to do with, and that has to be heard. */
const settingsEvery = 10;

/** Is told of deleted accounts, also of those that were deleted while it was off, and says which it was told of. */
const keeper: TinyPlugin = {
  id: "keeper",
  head: `import { appendFile, readFile } from "node:fs/promises"; import { join } from "node:path";`,
  activate: `const file = join(context.storage.folder, "told.txt"); context.onUserDeleted((id) => appendFile(file, id + "\\n"));
    context.routes([defineRoute({ method: "GET", path: "/api/keeper", summary: "tells", handle: async () => (await readFile(file, "utf8").catch(() => "")).split("\\n").filter(Boolean).map(Number) })]);`,
};

describe("criterion 25: the event stream", () => {
  it(
    `one client hears a gapless stream through ${operations} random operations and a restart, and what happened while a plugin was off is told it once`,
    { timeout: 60_000 + operations * 2_000 },
    async () => {
      await using bench = await Bench.open();
      for (const version of ["1.0.0", "1.1.0"])
        await bench.publish({ id: "turned", version, activate: answering("/api/turned", version) });
      await using data = await temporaryFolder();
      await using program = await Program.start({ LONGBOX_DATA: data.path, LONGBOX_REGISTRY: bench.registry.url });
      const { admin } = program;
      const client = new StreamClient((headers, signal) =>
        fetch(`${program.url}/api/events`, { headers: { ...headers, "x-setup-token": "let-me-in" }, signal }),
      );
      await client.connect();
      await admin.post("/api/plugins/install", { name: "@longbox-test/turned", version: "1.0.0", accept: true });
      const random = [
        () => admin.post("/api/plugins/install", { name: "turned", version: "1.0.0", accept: true }),
        () => admin.post("/api/plugins/install", { name: "turned", version: "1.1.0", accept: true }),
        () => admin.post("/api/plugins/turned/enabled", { enabled: false }),
        () => admin.post("/api/plugins/turned/enabled", { enabled: true }),
        () => admin.post("/api/plugins/turned/rollback"),
      ];
      for (let n = 0; n < operations; n += 1) {
        if (n === operations / 2) await restart(program, data.path, client);
        const { status } = await random[randomInt(random.length)]!();
        expect([200, 409]).toContain(status);
        if (n % settingsEvery === 0) await hearSettings(program, client, n);
      }
      const before = client.heard.length;
      await admin.post("/api/plugins/uninstall", { name: "turned" });
      await until(() => client.heard.length > before);
      expect(client.domains).not.toContain("reset");
      expect(client.numbers).toEqual(counting(client.heard.length));
      expect(new Set(client.heard.map(({ id }) => id)).size).toBe(client.heard.length);
      await client.disconnect();
    },
  );

  it("tells a plugin once, after it is on again, of an account that was deleted while it was off", async () => {
    await using bench = await Bench.open();
    await bench.publish(keeper);
    await using host = await bench.host();
    const admin = host.as("admin");
    await install(host, "@longbox-test/keeper");
    const { body: user } = await admin.post("/api/users", { username: "gone", password: "longbox123", role: "viewer" });
    await admin.post("/api/plugins/keeper/enabled", { enabled: false });
    expect((await admin.delete(`/api/users/${user.id}`)).status).toBe(200);
    const told = async () => (await admin.get("/api/keeper")).body;
    for (const enabled of [true, false, true]) await admin.post("/api/plugins/keeper/enabled", { enabled });
    await until(async () => (await told()).length > 0);
    await host.restart();
    expect(await told()).toEqual([user.id]);
  });
});

/** Changes a setting of the server, and waits until the client hears of it. */
async function hearSettings({ admin }: Program, client: StreamClient, n: number): Promise<void> {
  const count = () => client.domains.filter((domain) => domain === "settings").length;
  const before = count();
  const answer = await admin.post("/api/settings", { server: { publicUrl: `http://n${n}.example` } });
  expect(answer.status).toBe(200);
  await until(() => count() > before);
}

/** The server is started again while the client is connected, and the client comes back to the next process. */
async function restart(program: Program, dataFolder: string, client: StreamClient): Promise<void> {
  const kernelProcess = () => readFileSync(path.join(dataFolder, "lock.pid"), "utf8");
  const before = kernelProcess();
  await program.admin.post("/api/restart");
  await client.disconnect();
  await until(() => kernelProcess() !== before);
  await client.connect();
}
