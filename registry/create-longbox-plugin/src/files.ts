/** What the files of a new plugin are named after. */
export interface PluginNames {
  /** Of the package. */
  readonly name: string;
  readonly id: string;
  /** From which npm takes what the plugin needs; that of npm's configuration when it is left out. */
  readonly registry?: string | undefined;
}

/** The files of a plugin with a route, a setting, an element on the home page and a test: path to text. */
export function pluginFiles(names: PluginNames): Record<string, string> {
  return {
    "package.json": `${JSON.stringify(packageJson(names), undefined, 2)}\n`,
    ...(names.registry !== undefined && { ".npmrc": npmrc(names.registry) }),
    "tsconfig.json": tsconfig,
    ".gitignore": "node_modules/\ndist/\n.longbox/\n*.tgz\n",
    LICENSE: licence,
    "CHANGELOG.md": "# Changes\n\n## 0.1.0\n\n- The first version.\n",
    "README.md": readme(names),
    "src/index.ts": entry(names),
    [`client/${names.id}.js`]: client(names),
    [`test/${names.id}.test.ts`]: test(names),
  };
}

const titleOf = (id: string) => id.replaceAll("-", " ").replace(/^./, (first) => first.toUpperCase());

function packageJson({ name, id }: PluginNames) {
  const title = titleOf(id);
  const description = `${title}: describe here what it adds`;
  return {
    name,
    version: "0.1.0",
    description,
    license: "MIT",
    repository: `https://example.org/${id}`,
    type: "module",
    keywords: ["longbox-plugin"],
    exports: { ".": "./dist/index.js", "./package.json": "./package.json" },
    files: ["client", "README.md", "CHANGELOG.md"],
    scripts: {
      dev: "longbox-plugin dev",
      check: "longbox-plugin check",
      test: "longbox-plugin test",
      "publish:plugin": "longbox-plugin publish",
    },
    longbox: {
      id,
      title,
      description,
      sdk: "^1.0.0",
      client: { js: `client/${id}.js`, slots: [{ slot: "home", element: `${id}-greeting` }] },
    },
    peerDependencies: { "@longbox/sdk": "^1.0.0" },
    devDependencies: {
      "@longbox/plugin-cli": "^1.0.0",
      "@longbox/sdk": "^1.0.0",
      "@types/node": "^24.0.0",
      kysely: "^0.29.0",
      zod: "^4.0.0",
    },
    engines: { node: ">=24" },
  };
}

const npmrc = (registry: string) => `; Where npm finds the packages of Longbox.
registry=${registry}
`;

const tsconfig = `{
  "compilerOptions": {
    "target": "es2024",
    "lib": ["es2024", "esnext.disposable"],
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "noEmit": true,
    "allowImportingTsExtensions": true,
    "erasableSyntaxOnly": true,
    "verbatimModuleSyntax": true,
    "skipLibCheck": true
  },
  "include": ["src", "test"]
}
`;

const entry = ({ id }: PluginNames) => `import { definePlugin, defineRoute } from "@longbox/sdk";
import { z } from "zod";

const greeting = z.object({ message: z.string() });

export default definePlugin({
  settings: z.object({
    greeting: z.string().min(1).max(100).default("Hello from ${id}").meta({ title: "Greeting" }),
  }),
  activate(_, context) {
    context.routes([
      defineRoute({
        method: "GET",
        path: "/api/${id}",
        summary: "Greet the user",
        response: greeting,
        handle: ({ viewer }) => ({ message: \`\${context.settings.current.greeting}, \${viewer.user.username}!\` }),
      }),
    ]);
  },
});
`;

const client = ({
  id,
}: PluginNames) => `// The web interface sets \`longbox\`, the way to the API, before the element is connected.
class Greeting extends HTMLElement {
  longbox;

  async connectedCallback() {
    const { message } = await this.longbox.api("/api/${id}");
    this.textContent = message;
  }
}

if (!customElements.get("${id}-greeting")) customElements.define("${id}-greeting", Greeting);
`;

const entryFromTests = "../src/index.ts";

const test = ({ id }: PluginNames) => `import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestHost } from "@longbox/sdk/testing";
import manifest from "../package.json" with { type: "json" };
import plugin from "${entryFromTests}";

const plugins = [{ manifest: manifest.longbox, plugin }];

test("greets everyone who may view the library", async () => {
  await using host = await startTestHost({ plugins, settings: { ${JSON.stringify(id)}: { greeting: "Welcome" } } });
  const answer = await host.as("viewer").get("/api/${id}");
  assert.equal(answer.status, 200);
  assert.match(answer.body.message, /^Welcome, .+!$/);
});

test("tells an anonymous client nothing", async () => {
  await using host = await startTestHost({ plugins });
  assert.equal((await host.as("anonymous").get("/api/${id}")).status, 401);
});
`;

const readme = ({ name, id }: PluginNames) => `# ${titleOf(id)}

Describe here what it adds.

- **Route** \`GET /api/${id}\` (viewer): \`{ "message": "…" }\`.
- **Setting** \`${id}.greeting\`: the greeting.
- **Home page**: the element \`${id}-greeting\`.

## Working on it

| | |
|---|---|
| \`npm run dev\` | a server of its own, with the plugin in it; each change is there at once |
| \`npm test\` | the tests, against a real server |
| \`npx -p typescript tsc\` | the types; an editor says the same |
| \`npm run check\` | what an installation would refuse, and what to improve |
| \`npm run dev -- --server URL\` | the same in a server that runs, with an admin's key in \`LONGBOX_KEY\` and an author's token in \`LONGBOX_REGISTRY_TOKEN\` |
| \`npm run publish:plugin -- --server URL\` | checks and publishes it through a server, with the token in \`LONGBOX_REGISTRY_TOKEN\` |

An admin of the server makes the token: \`POST /api/plugins/authors { "name": "…", "packages": ["${name}"] }\`.

After \`npm install\`, [guides by task](node_modules/@longbox/sdk/guides/README.md) show how to add a route, a setting, a page, a
library type, a download source, the protocol of a device or a theme, and [the SDK's README](node_modules/@longbox/sdk/README.md)
describes everything that a plugin can use.

Then an admin installs it in the web interface under Plugins, or with \`POST /api/plugins/install { "name": "${name}" }\`, and accepts what
it asks for.
`;

const licence = `MIT License

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`;
