import type { Check } from "./check.js";
import { lineOf, readSources, withoutComments } from "./sources.js";

const folders = ["sdk", "kernel", "registry", "plugins", "examples", "test"];
/** A statement that is a request of `fetch` or of a browser's page, and nothing else: its answer is dropped. */
const dropped = /^[ \t]*(?:await|void) (?:fetch|(?:[\w$]+\.)*request\.(?:get|post|put|patch|delete|fetch))\(/gm;

/**
 * A test that prepares something by a request must look at the answer, or it goes on without what it prepared. The
 * clients of the test host see to that themselves; those of the platform do not.
 */
export const answersCheck: Check = {
  name: "answers of requests in tests",
  async find(root) {
    const sources = await readSources(root, folders, /\.tsx?$/);
    return sources
      .filter(({ path }) => path.startsWith("test/") || path.includes("/test/"))
      .flatMap(({ path, text }) => {
        const code = withoutComments(text);
        return [...code.matchAll(dropped)]
          .filter(({ index, 0: begin }) => isWholeStatement(code, index + begin.length))
          .map(({ index }) => `${path}:${lineOf(code, index)} drops the answer of a request: expect its status.`);
      });
  },
};

/** Whether the call that was just opened ends a statement: as an argument or with a method after it, it is used. */
function isWholeStatement(code: string, from: number): boolean {
  let depth = 1;
  let at = from;
  for (; at < code.length && depth > 0; at++) {
    if ("([{".includes(code[at]!)) depth += 1;
    if (")]}".includes(code[at]!)) depth -= 1;
  }
  return code[at] === ";";
}
