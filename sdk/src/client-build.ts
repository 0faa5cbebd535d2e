import { readFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { addressedTemplates } from "./addressed-templates.js";
import { clientMessages } from "./messages/client-messages.js";

export { addressedTemplates } from "./addressed-templates.js";
export { clientMessages } from "./messages/client-messages.js";

const compressible = /\.(?:js|css|html|svg|json|webmanifest)$/;
/** Smaller files fit into the packet of the headers, so compressing them saves nothing. */
const leastBytes = 1_000;

/**
 * The configuration with which vite builds `client/src/index.ts` of a plugin into the one module that its manifest
 * names, `client/dist/<id>.js`; a `vite.config.ts` exports it.
 * @param configuration - `import.meta.url` of the `vite.config.ts`, beside which `client` lies.
 */
export function clientBuild(configuration: string, id: string) {
  return {
    plugins: [clientMessages(), addressedTemplates(), compressedFiles()],
    root: fileURLToPath(new URL("client", configuration)),
    build: {
      target: "es2022",
      outDir: "dist",
      emptyOutDir: true,
      // One module, because the web interface imports it at an address that changes with the package.
      lib: { entry: "src/index.ts", formats: ["es" as const], fileName: () => `${id}.js` },
      // vite does not minify whitespace in libraries, but this module is not a dependency of others.
      rolldownOptions: {
        output: {
          minify: true,
          postBanner: kitLine(),
          // What most of its modules use is one request, in place of one for each part of the kit.
          codeSplitting: { groups: [{ name: "shared", minShareCount: 3 }] },
        },
        // What it shares with the modules that it loads later stays in it, in place of a request more for every page.
        preserveEntrySignatures: "allow-extension" as const,
      },
      reportCompressedSize: false,
      // Names every file, so that the web interface can save all of them for offline use.
      manifest: "assets.json",
      // The licences of what is bundled: the registry makes the package's notices from them.
      license: { fileName: "third-party.json" },
    },
  };
}

/** The first line of the module: the version of the UI kit that it was built with, for the kernel's examination. */
function kitLine(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return `/*! longbox-kit ${(JSON.parse(text) as { version: string }).version} */`;
}

/**
 * A plugin of vite that writes `.br` and `.gz` beside every file of text that it builds, so that the server compresses
 * nothing while it answers.
 */
export function compressedFiles() {
  let folder = "";
  return {
    name: "longbox-compressed-files",
    apply: "build" as const,
    configResolved(configuration: { readonly root: string; readonly build: { readonly outDir: string } }) {
      folder = join(configuration.root, configuration.build.outDir);
    },
    closeBundle: () => compressFolder(folder),
  };
}

async function compressFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && compressible.test(entry.name));
  await Promise.all(files.map((entry) => compress(join(entry.parentPath, entry.name))));
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < leastBytes) return;
  const best = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, best));
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}
