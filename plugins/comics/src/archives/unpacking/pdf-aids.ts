import { fileURLToPath } from "node:url";

/** A folder of what comes with pdfjs: fonts, character maps and decoders. It ends with a slash, as pdfjs wants it. */
export function pdfAids(name: "standard_fonts" | "cmaps" | "wasm"): string {
  return fileURLToPath(new URL(`../../${name}/`, import.meta.resolve("pdfjs-dist/legacy/build/pdf.mjs")));
}
