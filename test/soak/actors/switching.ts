import { publishPackage } from "@longbox/registry";
import { packSeeded } from "../../dist/crater/seeded.js";
import type { Asked } from "../support/asking.ts";
import { registryOf, type SoakedServer } from "../support/server.ts";
import { adminOf, breathe, type Actor, type World } from "./world.ts";

const guest = "@bo/longbox-lamps";
const [old, present] = ["0.9.0", "1.0.0"];

/** Publishes the guest in two versions to the server's own registry. */
export async function publishGuest(server: SoakedServer): Promise<void> {
  const registry = await registryOf(server);
  for (const { manifest, tarball } of await packSeeded())
    if (manifest.name === guest) await publishPackage(manifest, tarball, { registry });
}

/** Installs, upgrades, rolls back and removes a plugin, and switches others off and on while they are used. */
export function switcher(world: World): Actor {
  const client = adminOf(world, "switcher");
  const must = async (answer: Promise<Asked>, state: string) => {
    const { status, body } = await answer;
    if (status === 200 && body.state !== state)
      world.tally.failed("switcher", `${body.name} is ${body.state}, not ${state}: ${body.reason}`);
  };
  const install = (version: string) =>
    must(client.post("/api/plugins/install", { name: guest, version, accept: true }), "active");
  const enable = (name: string, enabled: boolean) =>
    must(client.post(`/api/plugins/${name}/enabled`, { enabled }), enabled ? "active" : "disabled");
  const offAndOn = async (name: string) => {
    await enable(name, false);
    await breathe(world, 2000);
    await enable(name, true);
  };
  const steps = [
    () => install(old!),
    () => offAndOn("opds"),
    () => install(present!),
    () => offAndOn("gamify"),
    () => must(client.post("/api/plugins/lamps/rollback", {}), "active"),
    () => offAndOn("reader"),
    async () => void (await client.post("/api/plugins/uninstall", { name: guest, purge: true })),
    () => offAndOn("stats"),
  ];
  let turns = 0;
  return {
    name: "switcher",
    everyMs: 45_000,
    turn: () => world.tally.whileSwitching(steps[turns++ % steps.length]!),
  };
}
