import type { Check } from "./check.js";
import { lineOf, readSources, withoutComments } from "./sources.js";

/** Words that plain technical English does without, and what to write instead. */
const replacements = new Map([
  ["whoever", "name the client, user or plugin"],
  ["whomever", "name the client, user or plugin"],
  ["whosoever", "name the client, user or plugin"],
  ["somebody", '"a user", "a client", "another plugin"'],
  ["nobody", '"no user", "no client", "no plugin"'],
  ["everybody", '"all users", "every plugin", "anyone"'],
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
  ["likewise", '"too", "in the same way"'],
]);
/** The comments of a test file, and the titles of its suites and tests. Its fixtures may hold any text. */
const spoken =
  /\/\*[\s\S]*?\*\/|(?<=^|[\s;,{])\/\/.*|(?:\b(?:it|describe|test)(?:\.\w+)*|\]\))\(\s*(?:"[^"\n]*"|`[^`]*`)/gm;
/** A comment whose first word stands for a thing that it does not name. */
const thatOf = /\/\*\*\s*(?:\*\s*)?(That of)\b/g;
const literal = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;
/** `This is no folder`; what is not there may be said so: `There is no folder`. */
const isNo = /(?<!\b[Tt]?here )\b(is no (?!longer\b|more\b|less\b|other\b)[a-z]+)/g;
/** This file names the words, and the test plants them. */
const exempt = new Set(["test/src/check/plain-words.ts", "test/check/plain-words.test.ts"]);

/**
 * Archaic or indefinite words in documents, names, comments and messages. They hide who acts, and make sentences that
 * readers have to parse twice.
 */
export const plainWordsCheck: Check = {
  name: "plain words",
  async find(root) {
    const sources = await readSources(root, ["."], /^en\.json$|^(?!CHANGELOG)(?!.*\.api\.md$).*\.(ts|mjs|html|md)$/);
    return sources
      .filter(({ path }) => !exempt.has(path))
      .flatMap(({ path, text }) =>
        [...wordsIn(path, text), ...turnsIn(path, text)].map(
          ({ word, index, instead }) => `${path}:${lineOf(text, index)} says "${word}": ${instead}.`,
        ),
      );
  },
};

interface Found {
  readonly word: string;
  readonly index: number;
  readonly instead: string;
}

const isTest = (path: string) => /(^|\/)test\//.test(path) && !path.startsWith("test/src/") && !path.endsWith(".md");

/** Turns of phrase that a reader has to take apart. */
function turnsIn(path: string, text: string): Found[] {
  if (path.endsWith(".md")) return [];
  const comments = [...text.matchAll(thatOf)].map(({ 1: word = "", index }) => {
    return { word, index, instead: "name the thing" };
  });
  if (isTest(path)) return comments;
  const messages = [...withoutComments(text).matchAll(literal)].flatMap((message) =>
    [...message[0].matchAll(isNo)].map(({ 0: word, index }) => {
      return { word, index: message.index + index, instead: '"is not a …"' };
    }),
  );
  return [...comments, ...messages];
}

function wordsIn(path: string, text: string): Found[] {
  if (!isTest(path)) return plainWords(text);
  return [...text.matchAll(spoken)].flatMap((part) =>
    plainWords(part[0]).map((found) => ({ ...found, index: found.index + part.index })),
  );
}

// Names are taken apart where their case changes: `installWishes` holds "Wishes".
function plainWords(text: string): Found[] {
  return [...text.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)].flatMap(({ 0: word, index }) => {
    const instead = replacements.get(word.toLowerCase());
    return instead === undefined ? [] : { word, index, instead };
  });
}
