// Criterion 10: a registry that lies, is broken or never ends.
import type { ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { runsLongTests } from "@longbox/test/needs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Program } from "../../plugins/program.js";
import { honest, LyingRegistry } from "../../plugins/lying-registry.js";
import { install, packageOf, temporaryFolder } from "../../plugins/support.js";
import { entriesOf, tarball } from "../../plugins/tarballs.js";
import { residentKilobytes } from "../../plugins/resident-memory.js";
import { HostileHost } from "../hostile-host.js";

const good = () => tarball(entriesOf(honest));
const other = () => tarball([...entriesOf(honest), { name: "package/more.js", text: "1" }]);

type Lie = readonly [title: string, code: string, arrange: (registry: LyingRegistry) => void];
const sending = (registry: LyingRegistry, send: (response: ServerResponse) => void) => {
  registry.offer(good());
  registry.send = send;
};
/** A byte now and then, for ever. */
const drip = (response: ServerResponse) => {
  const timer = setInterval(() => response.write("x"), 50);
  response.once("close", () => clearInterval(timer));
};

const lies: readonly Lie[] = [
  ["other bytes than it promised", "kernel/integrity-mismatch", (r) => sending(r, (answer) => answer.end(other()))],
  [
    "a package that breaks off",
    "kernel/tarball-truncated",
    (r) =>
      sending(r, (answer) => {
        answer.setHeader("content-length", 5000);
        answer.write(good().subarray(0, 100));
        setTimeout(() => answer.destroy(), 20);
      }),
  ],
  ["a gzip file that ends too early", "kernel/tarball-broken", (r) => r.offer(good().subarray(0, good().length - 40))],
  [
    "a tarball on another host",
    "kernel/tarball-elsewhere",
    (r) => r.offer(good(), { tarball: "http://127.0.0.1:1/sly.tgz" }),
  ],
  ["a tarball a byte at a time", "kernel/tarball-slow", (r) => sending(r, drip)],
  ["no integrity", "kernel/no-integrity", (r) => r.offer(good(), { integrity: undefined })],
  [
    "only a weak integrity",
    "kernel/no-integrity",
    (r) => r.offer(good(), { integrity: "sha1-qqqqqqqqqqqqqqqqqqqqqqqqqqo=" }),
  ],
  [
    "another package than was asked for",
    "kernel/wrong-package",
    (r) => r.offer(good(), { name: "@longbox-test/other" }),
  ],
  ["what is no registry's answer", "kernel/registry-broken", (r) => (r.packument = { hello: "there" })],
];

describe("criterion 10: a registry that lies", () => {
  let hostile: HostileHost;
  beforeAll(async () => void (hostile = await HostileHost.open({ tarballMs: 1_000 })));
  afterAll(() => hostile[Symbol.asyncDispose]());

  it.each(lies)("with %s is refused (%s), and nothing is kept", async (_, code, arrange) => {
    arrange(hostile.registry);
    const answer = await hostile.attempt();
    expect(answer.code).toBe(code);
    expect([answer.status >= 400, answer.status < 503]).toEqual([true, true]);
    await hostile.expectNothing();
  });

  it("with a redirect to another origin is refused (kernel/registry-redirects), and the other origin is not asked", async () => {
    let asked = 0;
    const elsewhere = createServer((_, response) => {
      asked += 1;
      response.end(good());
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    try {
      const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/sly.tgz`;
      sending(hostile.registry, (response) => response.writeHead(302, { location }).end());
      expect(await hostile.attempt()).toMatchObject({ status: 502, code: "kernel/registry-redirects" });
      expect(asked).toBe(0);
      await hostile.expectNothing();
    } finally {
      elsewhere.closeAllConnections();
      elsewhere.close();
    }
  });

  it("with other bytes for a version that is installed is refused (kernel/integrity-changed)", async () => {
    hostile.registry.offer(good());
    await install(hostile.host, packageOf(honest));
    hostile.registry.offer(other());
    expect(await hostile.attempt()).toMatchObject({ status: 409, code: "kernel/integrity-changed" });
    await hostile.host.as("admin").post("/api/plugins/uninstall", { name: "sly", purge: true });
    await hostile.expectNothing();
  });
});

/** What the server may grow by: 100 MB of its own, and in an ordinary run what a busy machine has not collected yet. */
const mostMegabytes = runsLongTests ? 100 : 200;

it(
  "criterion 10: a tarball of 10 GB is given up at the limit, within 100 MB of memory",
  { timeout: 240_000 },
  async () => {
    const registry = new LyingRegistry();
    await registry.open();
    try {
      await using data = await temporaryFolder();
      await using program = await Program.start({ LONGBOX_DATA: data.path, LONGBOX_REGISTRY: registry.url });
      const block = Buffer.alloc(1024 * 1024, 7);
      let megabytes = 0;
      sending(registry, (response) => {
        const more = () => {
          while (!response.destroyed && megabytes < 10_240) {
            megabytes += 1;
            if (!response.write(block)) return;
          }
          response.end();
        };
        response.on("drain", more);
        more();
      });
      await program.admin.get("/api/plugins");
      const before = await residentKilobytes(program.process.pid!);
      let most = before;
      const watching = setInterval(
        () => void residentKilobytes(program.process.pid!).then((now) => (most = Math.max(most, now))),
        200,
      );
      const answer = await program.admin.post(
        "/api/plugins/install",
        { name: packageOf(honest), accept: true },
        120_000,
      );
      clearInterval(watching);
      expect(answer).toMatchObject({ status: 502, body: { code: "kernel/tarball-too-large" } });
      expect(megabytes).toBeLessThan(400);
      expect((most - before) / 1024).toBeLessThan(mostMegabytes);
    } finally {
      registry.close();
    }
  },
);
