import { fileURLToPath } from "node:url";

/** A folder of pdfjs's own files: fonts, character maps and decoders. It ends with a slash, as pdfjs requires. */
export function pdfAids(name: "standard_fonts" | "cmaps" | "wasm"): string {
  return fileURLToPath(new URL(`../../${name}/`, import.meta.resolve("pdfjs-dist/legacy/build/pdf.mjs")));
}
