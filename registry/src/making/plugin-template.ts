/** The names that a new plugin's files are written with. */
export interface PluginNames {
  /** `reading-list` */
  readonly id: string;
  /** `Reading list` */
  readonly title: string;
  /** `ReadingList` */
  readonly pascal: string;
  /** From the plugin's folder to the root of the checkout: `../..` */
  readonly toRoot: string;
}

export function namesOf(id: string, toRoot: string): PluginNames {
  const words = id.split("-");
  const spaced = words.join(" ");
  return { id, toRoot, title: capital(spaced), pascal: words.map(capital).join("") };
}

/** The files of a plugin that compiles, passes its tests and installs: path to text. */
export function pluginFiles(names: PluginNames): Record<string, string> {
  return {
    "package.json": `${JSON.stringify(packageJson(names), undefined, 2)}\n`,
    "tsconfig.json": tsconfig(names),
    "README.md": readme(names),
    "src/index.ts": entry(names),
    "src/routes.ts": routes(names),
    [`client/${names.id}.js`]: element(names),
    [`test/${names.id}.test.ts`]: test(names),
  };
}

function packageJson({ id, title }: PluginNames) {
  const description = `${title}: say here what it adds`;
  return {
    name: `@longbox/${id}`,
    version: "1.0.0",
    description,
    license: "MIT",
    type: "module",
    keywords: ["longbox-plugin"],
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" }, "./package.json": "./package.json" },
    files: ["dist", "client", "README.md", "CHANGELOG.md"],
    longbox: { id, title, description, sdk: "^1.0.0", client: { js: `client/${id}.js`, slots: [{ slot: "home", element: `${id}-panel` }] } },
    peerDependencies: { "@longbox/sdk": "^1.0.0" },
  };
}

const tsconfig = ({ toRoot }: PluginNames) => `{
  "extends": "${toRoot}/tsconfig.base.json",
  "compilerOptions": { "rootDir": "src", "outDir": "dist", "tsBuildInfoFile": "dist/.tsbuildinfo" },
  "include": ["src"],
  "references": [{ "path": "${toRoot}/sdk" }]
}
`;

const entry = ({ id, pascal }: PluginNames) => `import { definePlugin } from "@longbox/sdk";
import { z } from "zod";
import { routesOf${pascal} } from "./routes.js";

export default definePlugin({
  settings: z.object({
    greeting: z.string().min(1).max(100).default("Hello from ${id}").meta({ title: "Greeting" }),
  }),
  activate(_, context) {
    context.routes(routesOf${pascal}(() => context.settings.current.greeting));
  },
});
`;

const routes = ({ id, pascal, title }: PluginNames) => `import { defineRoute, type Route } from "@longbox/sdk";
import { z } from "zod";

const greetingSchema = z.object({ message: z.string() });

/** Every route of the plugin. */
export function routesOf${pascal}(greeting: () => string): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/${id}",
      summary: "Greet from ${title}",
      response: greetingSchema,
      handle: ({ viewer }) => ({ message: \`\${greeting()}, \${viewer.user.username}!\` }),
    }),
  ];
}
`;

const element = ({ id, pascal }: PluginNames) => `// The web UI gives the element \`longbox\`, the way to the API, before it is connected.
class ${pascal}Panel extends HTMLElement {
  longbox;

  async connectedCallback() {
    const { message } = await this.longbox.api("/api/${id}");
    this.textContent = message;
  }
}

if (!customElements.get("${id}-panel")) customElements.define("${id}-panel", ${pascal}Panel);
`;

const test = ({ id, title }: PluginNames) => `import { join } from "node:path";
import { startTestHost } from "@longbox/sdk/testing";
import { expect, it } from "vitest";

const folder = join(import.meta.dirname, "..");

it("greets whoever may view the library", async () => {
  await using host = await startTestHost({ plugins: [folder], settings: { ${JSON.stringify(id)}: { greeting: "Welcome" } } });
  const answer = await host.as("viewer").get("/api/${id}");
  expect(answer.status).toBe(200);
  expect(answer.body.message).toMatch(/^Welcome, .+!$/);
});

it("tells a stranger nothing of ${title}", async () => {
  await using host = await startTestHost({ plugins: [folder] });
  const answer = await host.as("nobody").get("/api/${id}");
  expect(answer.status).toBe(401);
});
`;

const readme = ({ id, title }: PluginNames) => `# ${title}

Say here what it adds.

- **Route** \`GET /api/${id}\` (viewer): \`{ "message": "…" }\`.
- **Setting** \`${id}.greeting\`: what it says.
- **Client** \`client/${id}.js\`: the element \`${id}-panel\`, in the slot \`home\`.
- **Permissions**: none of its own.

Install it with \`POST /api/plugins/install { "name": "@longbox/${id}" }\` once it is published; remove it with
\`POST /api/plugins/uninstall { "name": "${id}" }\`.
`;

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
