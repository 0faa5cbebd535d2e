import { hash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { ClientHttp2Session } from "node:http2";
import { Agent } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { writeLibrary } from "@longbox/test/fixtures";
import { needs } from "@longbox/test/needs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { caddyProgram, nginxProgram, startCaddy, startNginx, type RunningProxy } from "./proxy-programs.js";
import { Visitor, visitorAddress } from "./visitor.js";

const plugins = [
  "imaging",
  "operations",
  "collection",
  "files",
  "comics",
  "reading",
  "reader",
  "opds",
  "kosync",
  "web",
];
const password = "correct horse battery";
const megabyte = 1024 * 1024;

let host: KernelTestHost;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longbox-proxies-"));
  await writeLibrary(join(folder, "library"), [
    { title: "Moth Patrol", year: 2019, issues: ["1"], pages: 6, size: { width: 300, height: 450 } },
  ]);
  host = await startKernelTestHost({ plugins, kernel: { trustProxy: "127.0.0.1" } });
  const admin = host.as("admin");
  await admin.post("/api/libraries", { name: "Comics", type: "comic", rootFolder: join(folder, "library") });
  while ((await admin.get("/api/collection")).body[0]?.owned !== 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  await admin.post("/api/users", { username: "sam", password, role: "admin" });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const closing = (connection: ClientHttp2Session) => ({ connection, [Symbol.dispose]: () => connection.destroy() });

const programs = [
  { name: "nginx", program: nginxProgram, start: startNginx },
  { name: "Caddy", program: caddyProgram, start: startCaddy },
];

describe.each(programs)("behind $name, with the configuration of the repository", ({ name, program, start }) => {
  const installed = needs(program, `${name} is not installed`);
  const agent = new Agent({ keepAlive: true });
  let proxy: RunningProxy | undefined;
  let visitor: Visitor;
  beforeAll(async () => {
    if (program === undefined) return;
    proxy = await start(host.url);
    visitor = new Visitor(proxy, agent);
  });
  afterAll(async () => {
    agent.destroy();
    await proxy?.[Symbol.asyncDispose]();
  });

  async function signIn(): Promise<{ cookie: string; setCookie: string }> {
    const body = { username: "sam", password };
    const answer = await visitor.ask("/api/auth/login", { method: "POST", headers: { origin: visitor.origin }, body });
    expect(answer.status, answer.body.toString()).toBe(200);
    const set = answer.headers["set-cookie"]!;
    return { cookie: set.map((each) => each.split(";")[0]).join("; "), setCookie: set.join("\n") };
  }

  it("signs in with cookies for TLS only, and knows the visitor's address", installed, async () => {
    const { cookie, setCookie } = await signIn();
    for (const each of setCookie.split("\n")) expect(each).toMatch(/; Secure/);
    expect((await visitor.ask("/api/auth/me", { headers: { cookie } })).json).toMatchObject({
      user: { username: "sam" },
    });
    const wrong = { username: "sam", password: "wrong" };
    // A visitor cannot choose the address, the host or the prefix.
    const claims = { "x-forwarded-for": "192.0.2.1", "x-forwarded-host": "evil.example", forwarded: "for=192.0.2.2" };
    const refused = await visitor.ask("/api/auth/login", { method: "POST", headers: claims, body: wrong });
    expect(refused.status).toBe(401);
    const { body: lines } = await host.as("admin").get("/api/logs?limit=20");
    const failed = lines.find(({ message }: { message: string }) => message === "A sign-in failed.");
    expect(failed.fields).toEqual({ address: visitorAddress });
  });

  it("lets each event through at once, over HTTP/2", installed, async () => {
    const { cookie } = await signIn();
    using session = closing(visitor.connect());
    const stream = session.connection.request({ ":path": "/api/events", cookie });
    const [head] = await once(stream, "response");
    expect([head[":status"], head["content-type"]]).toEqual([200, "text/event-stream; charset=utf-8"]);
    let text = "";
    const told = new Promise<void>((resolve) =>
      stream.on("data", (bytes: Buffer) => void ((text += bytes), text.includes("event: users") && resolve())),
    );
    const user = { username: `reader-${name}`, password, role: "viewer" };
    expect((await host.as("admin").post("/api/users", user)).status).toBe(201);
    await told;
  });

  it("passes ranges, and compresses once", installed, async () => {
    const { cookie } = await signIn();
    const original = await readFile(join(folder, "library", "Moth Patrol (2019)", "Moth Patrol 001 (2019).cbz"));
    const [series] = (await visitor.ask("/api/collection", { headers: { cookie } })).json;
    const { issues } = (await visitor.ask(`/api/collection/${series.id}`, { headers: { cookie } })).json;
    const file = `/api/opds/issue/${issues[0].cvIssueId}/file`;
    const part = await visitor.ask(file, { headers: { cookie, range: "bytes=1000-1999" } });
    expect([part.status, part.headers["content-range"]]).toEqual([206, `bytes 1000-1999/${original.length}`]);
    expect(part.body.equals(original.subarray(1000, 2000))).toBe(true);

    const accepts = { cookie, "accept-encoding": "br, gzip" };
    const coded = await visitor.ask("/api/openapi.json", { headers: accepts });
    expect(coded.headers["content-encoding"]).toBe("br");
    expect(JSON.parse(brotliDecompressSync(coded.body).toString())).toMatchObject({ openapi: "3.1.1" });
  });

  it("takes a backup of 50 MB in pieces, and leaves limits to Longbox", installed, async () => {
    const headers = { "x-api-key": host.as("admin").key!, "content-type": "application/octet-stream" };
    const piece = randomBytes(4 * megabyte);
    let received = 0;
    while (received < 50 * megabyte) {
      const path = `/api/backup-upload?offset=${received}`;
      const answer = await visitor.ask(path, { method: "PUT", headers, body: piece });
      expect(answer.status, answer.body.toString()).toBe(200);
      received = answer.json.receivedBytes;
    }
    const whole = Buffer.alloc(50 * megabyte);
    const refused = await visitor.ask("/api/backup-upload?offset=0", { method: "PUT", headers, body: whole });
    expect([refused.status, refused.json.code]).toEqual([413, "kernel/body-too-large"]);
  });

  it("gives reading apps addresses under the public name, and their protocols", installed, async () => {
    const key = { "x-api-key": host.as("admin").key! };
    const claims = { "x-forwarded-prefix": "/evil", "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" };
    const feed = (await visitor.ask("/api/opds", { headers: { ...key, ...claims } })).body.toString();
    const links = [...feed.matchAll(/href="([^"]+)"/g)].map(([, link]) => link!);
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((link) => !link.startsWith(`${visitor.origin}/api/opds`))).toEqual([]);

    const { username, password: secret } = (await host.as("admin").post("/api/kosync/password")).body;
    const device = { "x-auth-user": username, "x-auth-key": hash("md5", secret) };
    const accept = "application/vnd.koreader.v1+json";
    expect(await visitor.ask("/kosync/users/auth", { headers: { ...device, accept } })).toMatchObject({
      status: 200,
      json: { authorized: "OK" },
    });
  });
});
