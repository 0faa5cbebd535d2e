import { kernelOptions } from "@longbox/kernel/supervisor";
import { expect, it } from "vitest";
import { kernelEnvironment, type KernelSurroundings } from "../dist/starting/kernel-environment.js";

const surroundings: KernelSurroundings = {
  dataFolder: "/data",
  registry: "http://127.0.0.1:4873",
  ownsRegistry: true,
  publications: [
    { name: "@longbox/reader", version: "1.0.0", isNew: false, isDefault: true },
    { name: "@longbox/chat", version: "1.0.0", isNew: false, isDefault: false },
  ],
};
const read = (given: NodeJS.ProcessEnv, own: boolean) =>
  kernelOptions(kernelEnvironment(given, { ...surroundings, ownsRegistry: own }));

it("waits a minute for the registry of this server, which may have to start first, and as usual for others", () => {
  expect(read({}, true).plugins?.packages).toEqual({ documentMs: 60_000, pingMs: 60_000 });
  expect(read({}, false).plugins?.packages).toEqual({});
  expect(read({ LONGBOX_REGISTRY_MS: "5000" }, true).plugins?.packages?.documentMs).toBe(5_000);
});

it("tells the kernel what to begin with, and gives it the token of no other registry", () => {
  expect(read({}, true)).toMatchObject({
    dataFolder: "/data",
    registryTokenFile: "/data/registry/token",
    defaultPlugins: [{ package: "@longbox/reader", version: "1.0.0" }],
  });
  expect(read({}, false).registryTokenFile).toBeUndefined();
  expect(read({ LONGBOX_DEFAULT_PLUGINS: "@longbox/chat@1.0.0" }, true).defaultPlugins).toEqual([
    { package: "@longbox/chat", version: "1.0.0" },
  ]);
});
