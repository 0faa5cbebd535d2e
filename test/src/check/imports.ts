import { lineOf, withoutComments, type Source } from "./sources.js";

export interface Import {
  readonly from: string;
  readonly line: number;
  readonly specifier: string;
  /** Nothing of it is left once the types are gone: `import type …`, `export type …`. */
  readonly isType: boolean;
}

// `import … from "x"`, `export … from "x"`, `import "x"`, `import("x")`, `require("x")`, `import.meta.resolve("x")`.
const patterns = [
  /\b(?:import|export)\b[^"'`;]*?\bfrom\s*(["'])([^"']+)\1/g,
  /\bimport\s*(["'])([^"']+)\1/g,
  /\b(?:import|require|resolve)\s*\(\s*(["'])([^"']+)\1/g,
];

/**
 * What a module imports, in whatever way, types included. Text of a template (`"@longbox/${id}/api"`) imports nothing.
 */
export function importsOf({ path, text }: Source): Import[] {
  const code = withoutComments(text);
  return patterns
    .flatMap((pattern) => [...code.matchAll(pattern)])
    .map((match) => ({
      from: path,
      line: lineOf(code, match.index),
      specifier: match[2] ?? "",
      isType: /^(?:import|export)\s+type\s+(?:[\w$]+\s+from\b|[{*])/.test(match[0]),
    }))
    .filter(({ specifier }) => !specifier.includes("${"));
}
