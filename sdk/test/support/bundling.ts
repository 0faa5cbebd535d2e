import { join } from "node:path";
import { build, type Rolldown } from "vite";

const root = join(import.meta.dirname, "..", "..", "..");

/** What a plugin's build would make of a module that imports the kit, in one piece. */
export async function bundled(source: string): Promise<string> {
  const made = (await build({
    configFile: false,
    logLevel: "silent",
    root,
    plugins: [
      {
        name: "source",
        resolveId: (id) => (id.endsWith("source.js") ? "\0source.js" : undefined),
        load: (id) => (id === "\0source.js" ? source : undefined),
      },
    ],
    resolve: { alias: { "@longbox/sdk/ui": join(root, "sdk/dist/ui/index.js"), lit: join(root, "node_modules/lit") } },
    build: {
      write: false,
      lib: { entry: "source.js", formats: ["es"] },
      rolldownOptions: { output: { minify: true } },
    },
  })) as Rolldown.RolldownOutput[];
  return made[0]?.output[0].code ?? "";
}
