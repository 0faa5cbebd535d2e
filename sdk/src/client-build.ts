import { fileURLToPath } from "node:url";

/**
 * The configuration with which vite builds `client/src/index.ts` of a plugin into the one module that its manifest names,
 * `client/dist/<id>.js`; a `vite.config.ts` exports it.
 * @param configuration - `import.meta.url` of the `vite.config.ts`, beside which `client` lies.
 */
export function clientBuild(configuration: string, id: string) {
  return {
    root: fileURLToPath(new URL("client", configuration)),
    build: {
      target: "es2022",
      outDir: "dist",
      emptyOutDir: true,
      // One module: the web interface imports it at an address that changes with the package.
      lib: { entry: "src/index.ts", formats: ["es" as const], fileName: () => `${id}.js` },
      // vite leaves the spaces in libraries; nobody builds upon this one.
      rolldownOptions: { output: { minify: true } },
      reportCompressedSize: false,
    },
  };
}
