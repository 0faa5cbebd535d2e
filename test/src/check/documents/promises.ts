import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Check } from "../check.js";
import { withoutComments } from "../sources.js";

const documents = ["kernel/README.md", "kernel/PROMISES.md", "sdk/README.md"];
/** Sections that promise nothing: they draw, or say where things are. */
const withoutPromises = new Set(["The picture", "Folders"]);
const marker = /<!-- (test|no test): (.+?) -->/g;
/** The section whose table names its tests in sight: `| promise | `file`: how the title begins |`. */
const shownSection = "What Longbox promises";
const shownTest = /\| `([^`]+)`: (.+) \|$/;

/** A paragraph or an item of a list. */
interface Block {
  readonly line: number;
  readonly text: string;
}

/**
 * Every paragraph and item of the READMEs of the kernel and the SDK, and of the kernel's page of promises, names the
 * tests that hold what it promises, in comments that are not shown: `<!-- test: kernel/test/a.test.ts, how the title
 * begins -->`, or `<!-- no test: the reason -->`. The table of what Longbox promises names them in sight.
 */
export const promisesCheck: Check = {
  name: "promises",
  async find(root) {
    const found: string[] = [];
    for (const document of documents) {
      const text = await readFile(join(root, document), "utf8").catch(() => "");
      for (const block of blocksOf(text)) found.push(...(await flawsOf(root, document, block)));
    }
    return found;
  },
};

async function flawsOf(root: string, document: string, { line, text }: Block): Promise<string[]> {
  const place = `${document}:${line}`;
  const shown = shownTest.exec(text);
  const hidden = [...text.matchAll(marker)].map(([, kind, named = ""]) => ({ kind, named }));
  const markers = shown ? [{ kind: "test", named: `${shown[1]}, ${shown[2]}` }] : hidden;
  if (markers.length === 0) return [`${place} names no test that holds what it promises.`];
  const flaws: string[] = [];
  for (const { kind, named } of markers)
    if (kind === "test" && !(await isTitle(root, named)))
      flaws.push(`${place} names a test that is not there: ${named}`);
  return flaws;
}

/** @param named - a file and the beginning of a title: `kernel/test/a.test.ts, keeps rows` */
async function isTitle(root: string, named: string): Promise<boolean> {
  const comma = named.indexOf(", ");
  const file = named.slice(0, comma);
  const title = named.slice(comma + 2);
  if (comma < 0 || title === "" || !file.endsWith(".test.ts")) return false;
  const source = await readFile(join(root, file), "utf8").catch(() => "");
  // What a test, a group of tests or a row of `it.each` begins with; the text in any other place proves nothing.
  return new RegExp(`[([]\\s*["\`]${title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`).test(withoutComments(source));
}

function blocksOf(text: string): Block[] {
  const blocks: { line: number; text: string }[] = [];
  let open: { line: number; text: string } | undefined;
  let inCode = false;
  let section = "";
  for (const [at, line] of text.split("\n").entries()) {
    const isFence = line.startsWith("```");
    if (isFence) inCode = !inCode;
    const heading = inCode ? undefined : /^#+ (.+)/.exec(line)?.[1];
    section = heading ?? section;
    if (section === shownSection && /^\| (?!Promise )/.test(line)) blocks.push({ line: at + 1, text: line });
    if (isFence || inCode || heading !== undefined || /^(\||\s*$)/.test(line)) open = undefined;
    else if (open === undefined || line.startsWith("- ")) {
      open = { line: at + 1, text: line };
      if (!withoutPromises.has(section)) blocks.push(open);
    } else open.text += `\n${line}`;
  }
  return blocks;
}
