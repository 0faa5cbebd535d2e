import { expect, it } from "vitest";
import { plainWordsCheck } from "../src/check/plain-words.js";
import { plant } from "./planting.ts";

it("catches archaic words in documents, names, comments and messages, and in the titles of tests", async () => {
  await using planted = await plant({
    "README.md": "# Longbox\n\nWhoever installs it reads this.\n",
    "kernel/src/a.ts": "/** Reads the file\n * anew. */\nexport class InstallWishes {}\n",
    "plugins/reader/src/b.ts": 'throw new Error("Nobody can read it.");\n// For everybody.\n',
    "plugins/reader/test/c.test.ts":
      '// For somebody else.\nit("tells nobody", () => {});\nit.each([1])(`waits upon %s`, () => {});\n',
    "sdk/README.md": "Once more, forthwith.\n",
  });
  expect((await plainWordsCheck.find(planted.path)).map((complaint) => complaint.replace(/": .*/, '"'))).toEqual([
    'README.md:3 says "Whoever"',
    'kernel/src/a.ts:2 says "anew"',
    'kernel/src/a.ts:3 says "Wishes"',
    'plugins/reader/src/b.ts:1 says "Nobody"',
    'plugins/reader/src/b.ts:2 says "everybody"',
    'plugins/reader/test/c.test.ts:1 says "somebody"',
    'plugins/reader/test/c.test.ts:2 says "nobody"',
    'plugins/reader/test/c.test.ts:3 says "upon"',
    'sdk/README.md:1 says "forthwith"',
  ]);
});

it("catches comments that name nothing, and messages that deny by a noun", async () => {
  await using planted = await plant({
    "kernel/src/a.ts":
      '/** That of the page. */\nconst size = 1;\n// It is no page.\nthrow new Error(`"${size}" is no page.`);\n',
    "plugins/reader/client/messages/en.json": '{\n  "open": "For everybody",\n  "bad": "This is no page."\n}\n',
    "plugins/reader/src/b.ts":
      '/** The size, and that of the page. */\nconst fine = ["There is no page.", "It is no longer there.", "Is there no page?"];\n',
    "plugins/reader/test/c.test.ts": '/** That of the page. */\nexpect("It is no page.");\n',
  });
  expect((await plainWordsCheck.find(planted.path)).map((complaint) => complaint.replace(/": .*/, '"'))).toEqual([
    'kernel/src/a.ts:1 says "That of"',
    'kernel/src/a.ts:4 says "is no page"',
    'plugins/reader/client/messages/en.json:2 says "everybody"',
    'plugins/reader/client/messages/en.json:3 says "is no page"',
    'plugins/reader/test/c.test.ts:1 says "That of"',
  ]);
});

it("allows any text in the fixtures of tests, and words that only contain one of these", async () => {
  await using planted = await plant({
    "plugins/opds/test/a.test.ts": 'const publisher = "Nobody & Sons"; const url = "https://nobody.example/";\n',
    "kernel/src/a.ts": "const taught = 1; const coupon = 2; const swish = 3;\n",
  });
  expect(await plainWordsCheck.find(planted.path)).toEqual([]);
});
