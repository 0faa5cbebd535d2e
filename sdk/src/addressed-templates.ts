import { fileURLToPath } from "node:url";

const addressedLit = fileURLToPath(new URL("ui/addresses/lit.js", import.meta.url));

/**
 * A plugin of vite that puts the kit's `html` in the place of lit's, which only knows addresses from the root of a
 * host: with the kit's, every `href` and `src` of a template leads below the base path of the server.
 */
export function addressedTemplates() {
  return {
    name: "longbox-addressed-templates",
    enforce: "pre" as const,
    resolveId: (source: string, importer: string | undefined) =>
      source === "lit" && importer !== addressedLit ? addressedLit : undefined,
  };
}
