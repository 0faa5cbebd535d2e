import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { kernelOptions } from "@longbox/kernel/supervisor";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { expect, it } from "vitest";

type Answer = (url: string, response: ServerResponse) => void;

async function registryThat(answer: Answer): Promise<{ url: string } & Disposable> {
  const server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    answer(request.url!, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const listed = JSON.stringify({ objects: [{ package: { name: "slow", keywords: ["longbox-plugin"] } }] });

it("a registry that answers a byte at a time holds up no request for the catalog, which is then that of before", async () => {
  using registry = await registryThat((url, response) => {
    if (url.startsWith("/-/v1/search")) return response.end(listed);
    const timer = setInterval(() => response.write(" "), 20);
    response.once("close", () => clearInterval(timer));
  });
  await using host = await startKernelTestHost({
    registry: registry.url,
    kernel: { plugins: { packages: { documentMs: 60_000, catalogMs: 200 } } },
  });
  const admin = host.as("admin");
  const answers = await Promise.all([admin.get("/api/plugins/catalog"), admin.get("/api/plugins/catalog")]);
  for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: [] });
});

it("a document that is larger than any registry's is given up, in bounded memory", async () => {
  const block = Buffer.alloc(1024 * 1024, " ");
  let sent = 0;
  using registry = await registryThat((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(block)) sent += 1;
    };
    response.on("drain", more);
    more();
  });
  await using host = await startKernelTestHost({ registry: registry.url });
  const before = process.memoryUsage.rss();
  expect(await host.as("admin").post("/api/plugins/install", { name: "@stranger/giant" })).toMatchObject({
    status: 502,
    body: { code: "kernel/registry-broken" },
  });
  expect(sent).toBeLessThan(100);
  expect(process.memoryUsage.rss() - before).toBeLessThan(300 * 1024 * 1024);
});

it("a registry that never ends a document is away", { timeout: 60_000 }, async () => {
  using registry = await registryThat((_, response) => void response.write(" "));
  await using host = await startKernelTestHost({
    registry: registry.url,
    kernel: { plugins: { packages: { documentMs: 100 } } },
  });
  expect(await host.as("admin").post("/api/plugins/introduce", { name: "@stranger/never" })).toMatchObject({
    status: 502,
    body: { code: expect.stringMatching(/registry-(unreachable|broken)/) as string },
  });
});

it("is waited for as long as LONGBOX_REGISTRY_MS says", async () => {
  using registry = await registryThat(() => {}); // It never answers.
  const { plugins } = kernelOptions({ LONGBOX_REGISTRY_MS: "1000" });
  await using host = await startKernelTestHost({ registry: registry.url, kernel: { plugins: plugins! } });
  const begun = performance.now();
  expect(await host.as("admin").get("/api/plugins/catalog")).toMatchObject({ status: 200, body: [] });
  expect(performance.now() - begun).toBeGreaterThan(950);
  expect(performance.now() - begun).toBeLessThan(9_000); // The usual time is ten seconds.
  for (const wrong of ["soon", "10", "1000.5"])
    expect(() => kernelOptions({ LONGBOX_REGISTRY_MS: wrong })).toThrow(/LONGBOX_REGISTRY_MS must be a number/);
  expect(kernelOptions({}).plugins?.packages).toEqual({});
});

it("what a slow registry is still to bring along at the start is not there yet, rather than not there", async () => {
  const asked = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  using registry = await registryThat((_, response) => {
    asked.resolve();
    void goOn.promise.then(() => response.writeHead(404).end("{}"));
  });
  const defaultPlugins: Array<{ package: string; version: string }> = [];
  await using host = await startKernelTestHost({ registry: registry.url, kernel: { defaultPlugins } });
  const look = async () => {
    const [path, health] = [host.as("viewer").get("/api/tides"), host.as("viewer").get("/healthz")];
    return [(await path).status, (await path).body.code, (await health).body.starting];
  };
  expect(await look()).toEqual([404, "kernel/no-such-path", undefined]);
  defaultPlugins.push({ package: "@longbox-test/tides", version: "1.0.0" });
  const started = host.kernel.startPlugins();
  await asked.promise;
  expect(await look()).toEqual([503, "kernel/starting", true]);
  goOn.resolve();
  await started;
  expect(await look()).toEqual([404, "kernel/no-such-path", undefined]);
});
