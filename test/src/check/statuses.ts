import type { Check } from "./check.js";
import { lineOf, readSources, withoutComments } from "./sources.js";

const written = /\b(?:status|statusCode)\s*(?:=(?!=)|:)\s*[1-5]\d\d\b|\bwriteHead\(\s*[1-5]\d\d\b/g;

/**
 * Status numbers are written in the kernel's HTTP folder only; elsewhere an error has a kind. Reading another server's
 * answer is free.
 */
export const statusesCheck: Check = {
  name: "status numbers",
  async find(root) {
    const sources = await readSources(root, ["kernel/src", "sdk/src", "plugins"], /\.ts$/);
    return sources
      .filter(({ path }) => !path.startsWith("kernel/src/http/") && !/^plugins\/[^/]+\/(test|client)\//.test(path))
      .flatMap(({ path, text }) =>
        [...withoutComments(text).matchAll(written)].map(
          (match) => `${path}:${lineOf(text, match.index)} writes "${match[0]}".`,
        ),
      );
  },
};
