import { request as httpRequest, type IncomingMessage } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { openDoor, type DoorOptions, type OpenDoor } from "../http/open-door.js";

interface Heard {
  readonly event: string;
  readonly id: string;
  readonly data: string;
}

/** A client of the stream that reads it as the standard says. */
async function listen(door: OpenDoor, headers: Record<string, string>) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const { hostname, port } = new URL(door.url);
    httpRequest({ hostname, port, path: "/api/events", headers, agent: false }, resolve).on("error", reject).end();
  });
  const heard: Heard[] = [];
  const waiting = new Set<() => void>();
  let text = "";
  let ended = false;
  const wake = () => waiting.forEach((check) => check());
  const finish = () => {
    ended = true;
    wake();
  };
  response.setEncoding("utf8");
  let rest = "";
  response.on("data", (chunk: string) => {
    if (text.length < 10_000) text += chunk;
    const blocks = (rest + chunk).split("\n\n");
    rest = blocks.pop()!;
    heard.push(...blocks.filter((block) => /^data:/m.test(block)).map(parse));
    wake();
  });
  response.on("end", finish).on("close", finish).on("error", finish);
  return {
    response,
    heard,
    text: () => text,
    domains: () => heard.map(({ event }) => event),
    until: (condition: () => boolean) =>
      new Promise<void>((resolve) => {
        const check = () => condition() && (waiting.delete(check), resolve());
        waiting.add(check);
        check();
      }),
    get ended() {
      return ended;
    },
    close: () => void response.destroy(),
    [Symbol.dispose]: () => void response.destroy(),
  };
}

function parse(block: string): Heard {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1] ?? "";
  return { event: field("event"), id: field("id"), data: field("data") };
}

/** The number of an event for its client, and its place in the history of the server: the parts of its id. */
const numberOf = ({ id }: Pick<Heard, "id">) => Number(id.split("-")[2]);
const placeOf = ({ id }: Heard) => id.split("-").slice(0, 2).join("-");

/** What is really in use, in bytes. */
function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}

async function openStream(options: DoorOptions = {}) {
  const door = await openDoor(options);
  const key = await door.setUp();
  return Object.assign(door, { headers: { "x-api-key": key } });
}

describe("the stream of changes", () => {
  it("begins at once, with what proxies and browsers need", async () => {
    await using door = await openStream();
    using client = await listen(door, door.headers);
    await client.until(() => client.text().includes("\n\n"));
    expect(client.text()).toMatch(/^retry: 2000\n: hello\nid: [0-9a-f]{8}-0-0\n\n$/);
    expect(client.response.headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    expect(client.response.headers).not.toHaveProperty("content-length");
    expect(client.response.headers).not.toHaveProperty("content-encoding");
  });

  it("tells of a change once for a burst, with ids that increase by one for each client", async () => {
    await using door = await openStream();
    using client = await listen(door, door.headers);
    for (let round = 0; round < 100; round++) door.hub.changed("status");
    door.hub.changed("settings");
    await client.until(() => client.heard.length >= 2);
    expect(client.heard.map(({ event, data }) => [event, data])).toEqual([
      ["status", '{"domain":"status"}'],
      ["settings", '{"domain":"settings"}'],
    ]);
    door.hub.changed("status");
    await client.until(() => client.heard.length >= 3);
    expect(client.heard.map(numberOf)).toEqual([1, 2, 3]);
  });

  it("lets each user hear only what that user may read, also after the user's rights changed", async () => {
    await using door = await openStream();
    await door.ask("/api/roles", {
      method: "POST",
      headers: door.headers,
      body: { name: "page", permissions: ["library.view"] },
    });
    const { key } = await door.member("ann", "page");
    using admin = await listen(door, door.headers);
    using ann = await listen(door, { "x-api-key": key });
    const tell = async () => {
      const before = admin.heard.length;
      door.hub.changed("settings");
      door.hub.changed("status");
      await admin.until(() => admin.heard.length >= before + 2);
    };
    await tell();
    await ann.until(() => ann.heard.length >= 1);
    expect(ann.domains()).toEqual(["status"]);
    await door.ask("/api/roles/page", {
      method: "PATCH",
      headers: door.headers,
      body: { permissions: ["library.view", "settings.manage"] },
    });
    await tell();
    await ann.until(() => ann.heard.length >= 3);
    expect(ann.domains()).toEqual(["status", "settings", "status"]);
  });

  it("goes on where a client lost it", async () => {
    await using door = await openStream();
    using client = await listen(door, door.headers);
    door.hub.changed("status");
    await client.until(() => client.heard.length >= 1);
    const last = client.heard[0]!.id;
    client.close();
    using watching = await listen(door, door.headers);
    for (const domain of ["settings", "plugins", "settings"]) {
      const before = watching.heard.length;
      door.hub.changed(domain);
      await watching.until(() => watching.heard.length > before);
    }
    using back = await listen(door, { ...door.headers, "last-event-id": last });
    await back.until(() => back.heard.length >= 2);
    expect(back.domains()).toEqual(["plugins", "settings"]);
  });

  it("wakes only the clients of the users that a change concerns", async () => {
    await using door = await openStream();
    const [ann, bob] = [await door.member("ann"), await door.member("bob")];
    using annsClient = await listen(door, { "x-api-key": ann.key });
    using annsOther = await listen(door, { "x-api-key": ann.key });
    using bobsClient = await listen(door, { "x-api-key": bob.key });
    door.hub.changed("status", [ann.id]);
    await Promise.all([annsClient, annsOther].map((client) => client.until(() => client.heard.length >= 1)));
    // What all users hear comes after it, so that silence until then is silence.
    door.hub.changed("plugins");
    await bobsClient.until(() => bobsClient.heard.length >= 1);
    await annsClient.until(() => annsClient.heard.length >= 2);
    expect(bobsClient.domains()).toEqual(["plugins"]);
    expect(annsClient.domains()).toEqual(["status", "plugins"]);
  });

  it("joins changes of one domain: those of several users, and of all", async () => {
    await using door = await openStream();
    const [ann, bob, eve] = [await door.member("ann"), await door.member("bob"), await door.member("eve")];
    const clients = await Promise.all([ann, bob, eve].map(({ key }) => listen(door, { "x-api-key": key })));
    const round = async (...changes: Array<readonly number[] | undefined>) => {
      for (const userIds of changes) door.hub.changed("status", userIds);
      door.hub.changed("plugins");
      await Promise.all(clients.map((client) => client.until(() => client.domains().includes("plugins"))));
      return clients.map((client) => client.heard.splice(0).filter(({ event }) => event === "status").length);
    };
    expect(await round([ann.id], [bob.id], [ann.id])).toEqual([1, 1, 0]);
    expect(await round([ann.id], undefined, [bob.id])).toEqual([1, 1, 1]);
    expect(await round([])).toEqual([0, 0, 0]);
    for (const client of clients) client.close();
  });

  it("replays to a client that comes back only what concerns its user, however many changes others had", async () => {
    await using door = await openStream({ events: { joinMs: 0, heartbeatMs: 25_000 } });
    const [ann, bob] = [await door.member("ann"), await door.member("bob")];
    using watching = await listen(door, { "x-api-key": bob.key });
    door.hub.changed("plugins");
    await watching.until(() => watching.heard.length >= 1);
    const last = watching.heard[0]!.id;
    using annsClient = await listen(door, { "x-api-key": ann.key });
    door.hub.changed("status", [ann.id]);
    await annsClient.until(() => annsClient.heard.length >= 1);
    for (let turn = 0; turn < 1500; turn++) {
      const before = watching.heard.length;
      door.hub.changed("status", [bob.id]);
      await watching.until(() => watching.heard.length > before);
    }
    using annAgain = await listen(door, { "x-api-key": ann.key, "last-event-id": last });
    using bobAgain = await listen(door, { "x-api-key": bob.key, "last-event-id": last });
    using thirdAgain = await listen(door, { ...door.headers, "last-event-id": last });
    door.hub.changed("plugins");
    for (const client of [annAgain, bobAgain, thirdAgain])
      await client.until(() => client.domains().includes("plugins"));
    expect(annAgain.heard.map(({ event, id }) => [event, id])).toEqual([
      ["status", `${placeOf(annsClient.heard[0]!)}-${numberOf({ id: last }) + 1}`],
      ["plugins", expect.any(String)],
    ]);
    expect(placeOf(bobAgain.heard[0]!)).toBe(placeOf(watching.heard.findLast(({ event }) => event === "status")!));
    expect(numberOf(bobAgain.heard[0]!)).toBe(numberOf({ id: last }) + 1);
    expect(thirdAgain.domains()).toEqual(["plugins"]);
  });

  it("closes the oldest stream of a user who opens too many, and tells its client to come back late", async () => {
    await using door = await openStream();
    const ann = await door.member("ann");
    using other = await listen(door, door.headers);
    using oldest = await listen(door, { "x-api-key": ann.key });
    const streams = [];
    for (let number = 0; number < 64; number++) streams.push(await listen(door, { "x-api-key": ann.key }));
    await oldest.until(() => oldest.ended);
    expect(oldest.text()).toMatch(/retry: 60000\n\n$/);
    expect(door.hub.clients).toBe(65);
    door.hub.changed("status");
    await Promise.all([other, ...streams].map((client) => client.until(() => client.heard.length >= 1)));
    for (const client of streams) client.close();
  });

  it("tells a client whose place is too old, from another start or made up to fetch everything", async () => {
    await using door = await openStream();
    const ids = [
      ["0", 1],
      ["1763893550000", 1],
      ["0badf00d-0-16", 17],
      ["nonsense", 1],
    ] as const;
    for (const [id, number] of ids) {
      using client = await listen(door, { ...door.headers, "last-event-id": id });
      await client.until(() => client.heard.length >= 1);
      expect([id, client.domains(), numberOf(client.heard[0]!)]).toEqual([id, ["reset"], number]);
    }
  });

  it("forgets what is too long ago, and says so", async () => {
    await using door = await openStream({ events: { joinMs: 0, heartbeatMs: 25_000 } });
    using client = await listen(door, door.headers);
    door.hub.changed("status");
    await client.until(() => client.heard.length >= 1);
    const first = client.heard[0]!.id;
    const names = Array.from({ length: 1100 }, (_, at) => `d${at}`);
    door.hub.declare(
      "many",
      names.map((domain) => ({ domain, access: "library.view" })),
    );
    for (const domain of names) door.hub.changed(domain);
    await client.until(() => client.heard.length >= 1101);
    using back = await listen(door, { ...door.headers, "last-event-id": first });
    await back.until(() => back.heard.length >= 1);
    expect(back.domains()).toEqual(["reset"]);
  });

  it("sends a comment now and then, so that proxies keep it open", async () => {
    await using door = await openStream({ events: { joinMs: 5, heartbeatMs: 20 } });
    using client = await listen(door, door.headers);
    await client.until(() => client.text().split(": hb\n\n").length > 2);
    expect(client.heard).toEqual([]);
  });

  it("ends when the key is replaced or revoked, the session is over, or the account is switched off or deleted", async () => {
    await using door = await openStream();
    const ends: Array<
      [string, (member: { id: number; key: string }, browser: Record<string, string>) => Promise<unknown>]
    > = [
      ["replaced", ({ key }) => door.ask("/api/auth/apikey", { method: "POST", headers: { "x-api-key": key } })],
      ["revoked", ({ key }) => door.ask("/api/auth/apikey", { method: "DELETE", headers: { "x-api-key": key } })],
      [
        "off",
        ({ id }) => door.ask(`/api/users/${id}`, { method: "PATCH", headers: door.headers, body: { active: false } }),
      ],
      ["deleted", ({ id }) => door.ask(`/api/users/${id}`, { method: "DELETE", headers: door.headers })],
      [
        "demoted",
        ({ id }) => door.ask(`/api/users/${id}`, { method: "PATCH", headers: door.headers, body: { role: "trusted" } }),
      ],
    ];
    for (const [how, end] of ends) {
      const member = await door.member(how);
      using client = await listen(door, { "x-api-key": member.key });
      await end(member, {});
      await client.until(() => client.ended);
    }
    await door.member("browser");
    const [here, there] = [await door.browser("browser"), await door.browser("browser")];
    using staying = await listen(door, { cookie: here["cookie"]! });
    using leaving = await listen(door, { cookie: there["cookie"]! });
    await door.ask("/api/auth/logout-others", { method: "POST", headers: here });
    await leaving.until(() => leaving.ended);
    expect(staying.ended).toBe(false);
    await door.ask("/api/auth/logout", { method: "POST", headers: here });
    await staying.until(() => staying.ended);
  });

  it("of the local admin ends when the first account is made", async () => {
    await using door = await openDoor();
    using client = await listen(door, {});
    await door.setUp();
    await client.until(() => client.ended);
  });

  it("tells those who manage accounts that accounts changed", async () => {
    await using door = await openStream({ announcesAccounts: true });
    using client = await listen(door, door.headers);
    await door.ask("/api/users", {
      method: "POST",
      headers: door.headers,
      body: { username: "ann", password: "correct horse" },
    });
    await client.until(() => client.domains().includes("users"));
  });

  it("is only for users who are signed in", async () => {
    await using door = await openStream();
    expect((await door.ask("/api/events")).status).toBe(401);
  });

  it("keeps nothing but the latest of each domain for clients that do not read, and tells them once they do", async () => {
    await using door = await openStream({ events: { joinMs: 0, heartbeatMs: 25_000 } });
    const names = Array.from({ length: 20 }, (_, at) => `domain-${at}`);
    door.hub.declare(
      "many",
      names.map((domain) => ({ domain, access: "library.view" })),
    );
    const members = await Promise.all(["ann", "bob"].map((name) => door.member(name)));
    const grants = await Promise.all(
      members.map(async ({ id }) =>
        door.access.authentication.grantFor(await door.access.accounts.get(id), { kind: "key" }),
      ),
    );
    // What stands before the socket: a socket itself takes in megabytes before it says that it is full.
    const silent = Array.from({ length: 100 }, (_, at) => door.hub.open(grants[at % 2]!, undefined));
    using reader = await listen(door, door.headers);
    const round = async () => {
      const before = reader.heard.length;
      for (const domain of names) door.hub.changed(domain);
      await reader.until(() => reader.heard.length >= before + names.length);
    };
    for (let warm = 0; warm < 20; warm++) await round();
    reader.heard.length = 0;
    const before = heldBytes();
    for (let more = 0; more < 200; more++) await round();
    expect(reader.heard).toHaveLength(200 * names.length);
    const place = (heard: Heard) => ({ event: heard.event, place: placeOf(heard) });
    const last = reader.heard.slice(-names.length).map(place);
    reader.heard.length = 0;
    // Held back, four thousand changes for each of a hundred clients would be some 26 MB.
    expect(heldBytes() - before).toBeLessThan(5 * 1024 * 1024);
    const late = String(silent[0]!.read());
    expect(
      late
        .split("\n\n")
        .filter((block) => /^data:/m.test(block))
        .map(parse)
        .map(place),
    ).toEqual(last);
    silent.forEach((stream) => stream.destroy());
  });

  it("refuses a domain that is not declared, or that another plugin declares", async () => {
    await using door = await openStream();
    expect(() => door.hub.changed("nothing")).toThrow(/nothing/);
    expect(() => door.hub.declare("plugin", [{ domain: "settings", access: "library.view" }])).toThrow(
      /"plugin".*"kernel"/,
    );
    const declared = door.hub.declare("plugin", [{ domain: "shelves", access: "viewer" }]);
    const again = door.hub.declare("plugin", [{ domain: "shelves", access: "viewer" }]);
    await declared.release();
    door.hub.changed("shelves");
    await again.release();
    expect(() => door.hub.changed("shelves")).toThrow(/shelves/);
  });
});
