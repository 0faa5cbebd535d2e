// Packs the server, the SDK and the libraries that both use into a few files below `dist/packed`: Node takes most of a
// start to find and open a thousand small modules. `src/memory/packed-modules.ts` says who loads them; everything else,
// such as the kernel's threads, starts from the modules as they are.
import "reflect-metadata";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** What plugins import, too: the files export all that the packages do. Left out are those with native code. */
const shared = [
  ...["@longbox/sdk", "@longbox/sdk/light", "@longbox/sdk/manifest", "@longbox/sdk/worker", "@longbox/sdk/xml"],
  ...["zod", "zod/v4", "zod/v4/core", "kysely", "tsyringe"],
];
/**
 * Libraries of the kernel. Those that find files beside themselves, or are loaded when they are needed, are not packed.
 */
const own = [
  ...["semver", "rate-limiter-flexible", "cockatiel", "saxes", "negotiator", "proxy-addr", "ipaddr.js", "lowdb"],
  ...["p-queue", "cookie", "content-disposition", "zod-openapi", "polka", "sirv", "tiny-typed-emitter", "lru-cache"],
];
const server = "./serving.js";

const dist = fileURLToPath(new URL("dist/", import.meta.url));
const folder = path.join(dist, "packed");
const fileOf = (specifier) => specifier.replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-js$/g, "");
const prefix = "packed:";
/** Makes the bundler treat CommonJS as Node does. */
const ending = ".mjs";

/** A module that exports what Node finds in a library: of CommonJS, a bundler alone exports the default only. */
async function facade(specifier) {
  const names = Object.keys(await import(specifier));
  const from = JSON.stringify(specifier);
  const named = names.filter((name) => name !== "default" && name !== "module.exports");
  const lines = names.includes("default") ? [`export { default } from ${from};`] : [];
  if (!names.includes("module.exports")) return [...lines, `export * from ${from};`].join("\n");
  return [...lines, `import $all from ${from};`, ...named.map((name) => `export const ${name} = $all.${name};`)].join(
    "\n",
  );
}

/** What is packed, and the table by which it is found: from what is imported to the file that holds it. */
const facades = {
  name: "facades",
  resolveId: (id) => (id.startsWith(prefix) ? { id, moduleSideEffects: true } : undefined),
  load: (id) => (id.startsWith(prefix) ? facade(id.slice(prefix.length, -ending.length)) : undefined),
  generateBundle() {
    const table = Object.fromEntries([...shared, server].map((name) => [name, `${fileOf(name)}.js`]));
    this.emitFile({ type: "asset", fileName: "table.json", source: JSON.stringify(table) });
  },
};

/** Polka gets HTTP as the kernel does. */
const http = {
  name: "http",
  resolveId: (id) => (id === "node:http" ? path.join(dist, "node-http.js") : undefined),
};

/** Files beside a module of the kernel, such as its threads, stay where they are. */
const places = {
  name: "places",
  transform(code, id) {
    if (!id.startsWith(dist)) return undefined;
    return code.replaceAll(/new URL\("(\.[^"]*)", import\.meta\.url\)/g, (_all, beside) => {
      const place = path.relative(folder, path.resolve(path.dirname(id), beside));
      return `new URL("${place}${/[/.]$/.test(beside) ? "/" : ""}", import.meta.url)`;
    });
  },
};

const isPackage = (id) => /^[@a-z]/.test(id) && !id.startsWith(prefix);
const isPacked = (id) => [...shared, ...own].some((name) => id === name || id.startsWith(`${name}/`));

export default {
  cwd: fileURLToPath(new URL(".", import.meta.url)),
  input: {
    ...Object.fromEntries(shared.map((specifier) => [fileOf(specifier), `${prefix}${specifier}${ending}`])),
    [fileOf(server)]: path.join(dist, server),
  },
  platform: "node",
  plugins: [facades, http, places],
  // Only what the kernel or the SDK imports is asked for here; what a packed library imports is packed with it.
  external: (id, importer) => isPackage(id) && !isPacked(id) && importer?.includes("node_modules") !== true,
  // What a library exports must not change: plugins import it, too.
  preserveEntrySignatures: "strict",
  logLevel: "warn",
  output: {
    ...{ dir: folder, cleanDir: true, entryFileNames: "[name].js", chunkFileNames: "shared-[hash].js" },
    // V8 keeps the text of a module with two bytes for each character when one of them lies beyond Latin-1.
    comments: { legal: true, annotation: false, jsdoc: false },
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
  },
};
