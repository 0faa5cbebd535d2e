import type { Check } from "./check.js";
import { lineOf, readSources } from "./sources.js";

/** Words that plain technical English does without, and what to write instead. */
const replacements = new Map([
  ["whoever", "name the client, user or plugin"],
  ["whomever", "name the client, user or plugin"],
  ["whosoever", "name the client, user or plugin"],
  ["somebody", '"a user", "a client", "another plugin"'],
  ["nobody", '"no user", "no client", "no plugin"'],
  ["anew", '"again"'],
  ["wish", '"request"'],
  ["wishes", '"requests"'],
  ["conduct", '"fault policy"'],
  ["whence", '"from where"'],
  ["thereof", '"of it"'],
  ["therein", '"in it"'],
  ["upon", '"on"'],
  ["whilst", '"while"'],
  ["amongst", '"among"'],
  ["unto", '"to"'],
  ["forthwith", '"at once"'],
  ["hitherto", '"so far"'],
  ["heretofore", '"so far"'],
  ["nought", '"nothing"'],
  ["aught", '"anything"'],
  ["betwixt", '"between"'],
]);
/** The comments of a test file, and the titles of its suites and tests. Its fixtures may hold any text. */
const spoken =
  /\/\*[\s\S]*?\*\/|(?<=^|[\s;,{])\/\/.*|(?:\b(?:it|describe|test)(?:\.\w+)*|\]\))\(\s*(?:"[^"\n]*"|`[^`]*`)/gm;
/** This file names the words, and the test plants them. */
const exempt = new Set(["test/src/check/plain-words.ts", "test/check/plain-words.test.ts"]);

/**
 * Archaic or indefinite words in documents, names, comments and messages. They hide who acts, and make sentences that
 * readers have to parse twice.
 */
export const plainWordsCheck: Check = {
  name: "plain words",
  async find(root) {
    const sources = await readSources(root, ["."], /^(?!CHANGELOG)(?!.*\.api\.md$).*\.(ts|mjs|html|md)$/);
    return sources
      .filter(({ path }) => !exempt.has(path))
      .flatMap(({ path, text }) =>
        wordsIn(path, text).map(
          ({ word, index }) =>
            `${path}:${lineOf(text, index)} says "${word}": ${replacements.get(word.toLowerCase())}.`,
        ),
      );
  },
};

function wordsIn(path: string, text: string): { word: string; index: number }[] {
  const isTest = /(^|\/)test\//.test(path) && !path.startsWith("test/src/") && !path.endsWith(".md");
  if (!isTest) return plainWords(text);
  return [...text.matchAll(spoken)].flatMap((part) =>
    plainWords(part[0]).map(({ word, index }) => ({ word, index: index + part.index })),
  );
}

// Names are taken apart where their case changes: `installWishes` holds "Wishes".
function plainWords(text: string): { word: string; index: number }[] {
  return [...text.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)]
    .filter(([word]) => replacements.has(word.toLowerCase()))
    .map((match) => ({ word: match[0], index: match.index }));
}
