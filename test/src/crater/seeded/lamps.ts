import type { SeededPlugin } from "./plugin.js";

const entry = (
  settings: string,
  { names = "", more = "" } = {},
) => `import { definePlugin, defineRoute${names} } from "@longbox/sdk";
import { z } from "zod";

const settings = z.object({
  brightness: z.number().int().min(0).max(100).default(60).meta({ title: "Brightness" }),
  ${settings}
});

export default definePlugin({
  settings,
  activate(_, context) {
    const state = () => ({ brightness: context.settings.current.brightness });
    context.own({ release: () => {} });
    context.log.info("The lamps are lit.");
    context.routes([
      defineRoute({
        method: "GET",
        path: "/api/lamps",
        summary: "The lamps",
        response: z.object({ brightness: z.number() }),
        handle: state,
      }),
      ${more}
    ]);
  },
});
`;

const servers = `apiKey: secretSetting({ title: "Key" }),
  servers: listSetting(z.object({ url: z.string().default("").meta({ title: "Address" }), key: secretSetting({ title: "Key" }) }), {
    title: "Servers", test: "/api/lamps/test",
  }),`;

const test = `defineRoute({
        method: "POST",
        path: "/api/lamps/test",
        access: "admin",
        summary: "Try a server",
        body: z.object({ url: z.string() }),
        response: settingTestResult,
        handle: () => ({ ok: true, message: "It answers." }),
      }),`;

const client = `class Lamp extends HTMLElement {
  connectedCallback() {
    this.textContent = "A lamp";
  }
}
if (!customElements.get("lamps-lamp")) customElements.define("lamps-lamp", Lamp);
`;

/** Settings of every kind, and a part of the web interface. */
export const lamps: SeededPlugin = {
  name: "@bo/longbox-lamps",
  id: "lamps",
  versions: [
    { version: "0.9.0", files: { "dist/index.js": entry("") } },
    {
      version: "1.0.0",
      longbox: { client: { js: "client/lamps.js", slots: [{ slot: "home", element: "lamps-lamp" }] } },
      files: {
        "dist/index.js": entry(servers, { names: ", listSetting, secretSetting, settingTestResult", more: test }),
        "client/lamps.js": client,
      },
    },
  ],
};
