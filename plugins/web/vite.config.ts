import { fileURLToPath } from "node:url";
import { addressedTemplates, clientMessages, compressedFiles } from "@longbox/sdk/client-build";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [clientMessages(), addressedTemplates(), compressedFiles()],
  root: fileURLToPath(new URL("client", import.meta.url)),
  // The server answers with a Content Security Policy without `unsafe-inline`, so nothing may be inlined into the page
  // or as a data: module. Modules name each other from where they are, because the server may be below a path of its
  // host.
  experimental: {
    renderBuiltUrl: (_name, { hostType }) => (hostType === "html" ? undefined : { relative: true }),
  },
  build: {
    target: "es2022",
    // These know `light-dark()`, which would otherwise be worked out once for the document: an element with a
    // `color-scheme` of its own, such as the dark stage of a reader, would keep the colours of the page.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    outDir: "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What most pages use is one request, in place of one for each module of a few hundred bytes.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "shared", minShareCount: 4 }] } } },
    // Names every file, so that the interface can be saved for offline use.
    manifest: "assets.json",
    // The licences of what is bundled: the registry makes the package's notices from them.
    license: { fileName: "third-party.json" },
  },
});
