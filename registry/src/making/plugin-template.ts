import { createRequire } from "node:module";

/** The names in the files of a new plugin. */
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
    "src/api.ts": api(),
    "src/routes.ts": routes(names),
    "vite.config.ts": viteConfig(names),
    "client/tsconfig.json": clientTsconfig(names),
    "client/src/index.ts": page(names),
    [`test/${names.id}.test.ts`]: test(names),
  };
}

// One version of Lit for the whole checkout: that of the SDK.
const { devDependencies: sdkTools } = createRequire(import.meta.url)("@longbox/sdk/package.json") as {
  devDependencies: { lit: string };
};

function packageJson({ id, title }: PluginNames) {
  const description = `${title}: describe here what it adds`;
  return {
    name: `@longbox/${id}`,
    version: "1.0.0",
    description,
    license: "MIT",
    type: "module",
    keywords: ["longbox-plugin"],
    exports: {
      ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
      "./api": { types: "./dist/api.d.ts" },
      "./package.json": "./package.json",
    },
    files: ["dist", "client/dist", "README.md", "CHANGELOG.md"],
    longbox: {
      id,
      title,
      description,
      sdk: "^1.0.0",
      client: {
        js: `client/dist/${id}.js`,
        nav: [{ label: title, path: `/${id}` }],
        pages: [{ path: `/${id}`, element: `${id}-page`, title }],
      },
    },
    peerDependencies: { "@longbox/sdk": "^1.0.0" },
    devDependencies: { lit: sdkTools.lit },
    scripts: { "build:client": "vite build" },
  };
}

const tsconfig = ({ toRoot }: PluginNames) => `{
  "extends": "${toRoot}/tsconfig.base.json",
  "compilerOptions": { "rootDir": "src", "outDir": "dist", "tsBuildInfoFile": "dist/.tsbuildinfo" },
  "include": ["src"],
  "references": [{ "path": "${toRoot}/sdk" }]
}
`;

const viteConfig = ({ id }: PluginNames) => `import { clientBuild } from "@longbox/sdk/client-build";

export default clientBuild(import.meta.url, "${id}");
`;

const clientTsconfig = ({ toRoot }: PluginNames) => `{
  "extends": "../${toRoot}/tsconfig.base.json",
  "compilerOptions": {
    "module": "esnext",
    "moduleResolution": "bundler",
    "lib": ["es2024", "dom", "dom.iterable", "esnext.disposable"],
    "types": [],
    "experimentalDecorators": true,
    "useDefineForClassFields": false,
    "rootDir": "src",
    "outDir": "types",
    "emitDeclarationOnly": true,
    "tsBuildInfoFile": "types/.tsbuildinfo"
  },
  "include": ["src"],
  "references": [{ "path": "../${toRoot}/sdk/src/ui" }, { "path": ".." }]
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

export const greetingSchema = z.object({ message: z.string() });

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

const api = () => `import type { z } from "zod";
import type { greetingSchema } from "./routes.js";

// What the routes answer, for clients. Types only.
export type Greeting = z.output<typeof greetingSchema>;
`;

const page = ({ id, pascal, title }: PluginNames) => `import type { Greeting } from "@longbox/${id}/api";
import { element, LongboxElement, pageFrame, Resource, standard } from "@longbox/sdk/ui";
import { html } from "lit";

/** \`/${id}\`: the greeting. */
@element("${id}-page")
export class ${pascal}Page extends LongboxElement {
  static override styles = [standard, pageFrame];
  readonly #greeting = new Resource<Greeting>(this, { path: "/api/${id}" });

  override render() {
    return html\`
      <div class="page-head"><h1>${title}</h1></div>
      \${this.#greeting.render(({ message }) => html\`<p class="card">\${message}</p>\`)}
    \`;
  }
}
`;

const test = ({ id, title }: PluginNames) => `import { join } from "node:path";
import { startTestHost } from "@longbox/sdk/testing";
import { expect, it } from "vitest";

const folder = join(import.meta.dirname, "..");

it("greets everyone who may view the library", async () => {
  await using host = await startTestHost({ plugins: [folder], settings: { ${JSON.stringify(id)}: { greeting: "Welcome" } } });
  const answer = await host.as("viewer").get("/api/${id}");
  expect(answer.status).toBe(200);
  expect(answer.body.message).toMatch(/^Welcome, .+!$/);
});

it("tells a stranger nothing of ${title}", async () => {
  await using host = await startTestHost({ plugins: [folder] });
  const answer = await host.as("anonymous").get("/api/${id}");
  expect(answer.status).toBe(401);
});
`;

const readme = ({ id, title }: PluginNames) => `# ${title}

Describe here what it adds.

- **Route** \`GET /api/${id}\` (viewer): \`{ "message": "…" }\`.
- **Setting** \`${id}.greeting\`: the greeting.
- **Page** \`/${id}\`: the element \`${id}-page\`, built from \`client/src\`.
- **Permissions**: none of its own.

Install it with \`POST /api/plugins/install { "name": "@longbox/${id}" }\` once it is published; remove it with
\`POST /api/plugins/uninstall { "name": "${id}" }\`.
`;

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
