import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { clientBuild } from "@longbox/sdk/client-build";

/**
 * What is changed in foliate-js, whose renderers load sections of books by their addresses: they are rendered without
 * scripts instead (`engine/rendering`). The build fails when a new version of it does not contain what is replaced.
 */
const changes: Readonly<Record<string, readonly (readonly [found: string, instead: string])[]>> = {
  "foliate-js/paginator.js": [
    ["'allow-same-origin allow-scripts'", "sectionSandbox()"],
    ["this.#iframe.addEventListener('load', () => {", "this.#iframe.addEventListener('rendered', () => {"],
    ["this.#iframe.src = src", "renderSection(this.#iframe, src)"],
    [
      "if (!rect) return\n",
      "if (!rect) { const near = visibleNear(anchor); return near && this.#scrollToAnchor(near, reason) }\n",
    ],
    // The frame may be gone when its size changes at last: the book is being closed.
    [
      "if (!this.#view) return\n        this.#view.render",
      "if (!this.#view?.document?.body) return\n        this.#view.render",
    ],
  ],
  "foliate-js/fixed-layout.js": [
    ["'allow-same-origin allow-scripts'", "sectionSandbox()"],
    ["iframe.addEventListener('load', () => {", "iframe.addEventListener('rendered', () => {"],
    ["iframe.src = src", "renderSection(iframe, src)"],
  ],
  // An assignment, by which the first section of a book never is the one that is being read.
  "foliate-js/view.js": [["x => x.index = resolved.index", "x => x.index === resolved.index"]],
};

const require = createRequire(import.meta.url);
/** By the decompression of the browser: neither threads nor WebAssembly run in the frame of a book. */
const zip = join(dirname(require.resolve("@zip.js/zip.js/package.json")), "lib/zip-core-native.js");
/** Packages in place of the copies in foliate-js, which come without their licences. */
const alias = [
  { find: /^(?:@zip\.js\/zip\.js|\.\/vendor\/zip\.js)$/, replacement: zip },
  { find: "./vendor/fflate.js", replacement: "fflate" },
];

function inertRendering() {
  const rendering = new URL("client/src/engine/rendering/render-section.ts", import.meta.url).pathname;
  const near = new URL("client/src/engine/rendering/visible-near.ts", import.meta.url).pathname;
  const imports = [
    `import { renderSection, sectionSandbox } from ${JSON.stringify(rendering)};`,
    `import { visibleNear } from ${JSON.stringify(near)};`,
  ].join("\n");
  return {
    name: "longbox-inert-rendering",
    transform(code: string, path: string) {
      const [, replaced] = Object.entries(changes).find(([name]) => path.endsWith(`node_modules/${name}`)) ?? [];
      if (replaced === undefined) return null;
      let changed = `${imports}\n${code}`;
      for (const [found, instead] of replaced) {
        if (changed.split(found).length !== 2) throw new Error(`${path} does not contain ${found} once.`);
        changed = changed.replace(found, () => instead);
      }
      return { code: changed, map: null };
    },
  };
}

/** Each part is one file: the scripts of the frame are named by their digests, and can import nothing. */
export default ({ mode }: { mode: string }) => {
  const part = mode === "engine" || mode === "pdf" ? mode : undefined;
  if (part === undefined) return clientBuild(import.meta.url, "book-reader");
  const { plugins, root, build } = clientBuild(import.meta.url, part);
  return {
    root,
    // These scripts are no modules; pdf.js asks for its own address, and would load nothing from it here.
    define: { "import.meta.url": JSON.stringify("data:,") },
    resolve: { alias },
    plugins: [inertRendering(), ...plugins],
    build: {
      ...build,
      outDir: `dist/${part}`,
      // Scripts that are no modules share their outermost names.
      lib: {
        ...build.lib,
        entry: `src/engine/${part === "pdf" ? "pdf/" : ""}index.ts`,
        formats: ["iife" as const],
        name: "longboxEngine",
      },
      rolldownOptions: { output: { ...build.rolldownOptions.output, codeSplitting: false } },
    },
  };
};
