import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL("client", import.meta.url)),
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    // One module: the shell imports it at an address that changes with the package.
    lib: { entry: "src/index.ts", formats: ["es"], fileName: () => "lists.js" },
    reportCompressedSize: false,
  },
});
