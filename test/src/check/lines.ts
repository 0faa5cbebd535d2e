import type { Check } from "./check.js";
import { readSources, type Source } from "./sources.js";

const longest = 120;
/** Made by programs, which do not wrap. */
const generated = /^test\/bench\/report\/|\.api\.md$|(?:^|\/)CHANGELOG\.md$/;
/** Tables, comments that are not shown, headings and HTML cannot go on in the next line. */
const unbroken = /^\s*(?:\||<|#)/;
const fence = /^\s*(?:```|~~~)/;

/** Comments and documents fit the same columns as the code, which the format keeps. */
export const linesCheck: Check = {
  name: "lines",
  async find(root) {
    const sources = await readSources(root, ["."], /\.(?:ts|mjs|js|css|md)$/);
    return sources
      .filter(({ path }) => !generated.test(path))
      .flatMap((source) =>
        longLines(source).map((line) => `${source.path}:${line} is longer than ${longest} characters: wrap it.`),
      );
  },
};

function longLines({ path, text }: Source): number[] {
  const isProse = path.endsWith(".md") ? proseOf() : (line: string) => /^\s*(?:\/\/|\/?\*)/.test(line);
  return text.split("\n").flatMap((line, at) => (isProse(line) && isTooLong(line) ? [at + 1] : []));
}

/** Whether a line of a document is prose, for one line after the other. */
function proseOf(): (line: string) => boolean {
  let inCode = false;
  return (line) => {
    if (fence.test(line)) inCode = !inCode;
    return !inCode && !unbroken.test(line);
  };
}

/** An address or a piece of code that is longer by itself has no place to break. */
function isTooLong(line: string): boolean {
  if ([...line].length <= longest) return false;
  const begins = /^\s*(?:(?:\/\/|\/?\*+|[-+]|\d+\.)\s+)?/.exec(line)![0].length;
  const fitting = [...line].slice(begins, longest).join("");
  return / /.test(fitting.replaceAll(/`[^`]*(?:`|$)/g, ""));
}
