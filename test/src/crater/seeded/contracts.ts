import type { SeededPlugin } from "./plugin.js";

const token = (version: string) => `const ClockTower = contract("clock-tower", "${version}");
const Chimes = extensionPoint("clock-tower.chimes", "1.0.0");`;

const tower = (version: string) => `import { contract, definePlugin, extensionPoint } from "@longbox/sdk";
${token(version)}

export default definePlugin({
  activate(_, context) {
    const chimes = context.open(Chimes);
    context.provide(ClockTower, {
      strike: async (hour) => chimes.all().map((chime) => chime.sound.repeat(hour)),
    });
  },
});
`;

const ringer = (version: string) => `import { contract, definePlugin, defineRoute, extensionPoint } from "@longbox/sdk";
import { z } from "zod";
${token(version)}

export default definePlugin({
  requires: { tower: ClockTower },
  activate({ tower }, context) {
    context.contribute(Chimes, { id: "bell", sound: "dong " });
    context.routes([
      defineRoute({
        method: "GET",
        path: "/api/bell",
        summary: "Ring",
        response: z.array(z.string()),
        handle: () => tower.strike(3),
      }),
    ]);
  },
});
`;

const chimes = { "clock-tower.chimes": "1.0.0" };

/** A contract and an extension point of one author … */
export const clockTower: SeededPlugin = {
  name: "clock-tower",
  id: "clock-tower",
  versions: ["1.0.0", "1.1.0"].map((version) => ({
    version,
    longbox: { provides: { "clock-tower": version }, opens: chimes },
    files: { "dist/index.js": tower(version) },
  })),
};

/** … and what another author makes of them. */
export const bell: SeededPlugin = {
  name: "bell-of-cleo",
  id: "bell",
  versions: ["1.0.0", "1.2.0"].map((version) => ({
    version,
    longbox: { requires: { "clock-tower": "^1.0.0" }, contributes: { "clock-tower.chimes": "^1.0.0" } },
    files: { "dist/index.js": ringer("1.0.0") },
  })),
};
