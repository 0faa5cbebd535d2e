import { lineOf, readSources, withoutComments, type Source } from "../sources.js";

/** One place of the source where an error code is written. */
export interface ErrorPlace {
  readonly code: string;
  readonly path: string;
  readonly line: number;
  /** Undefined where the place does not tell. */
  readonly kind: string | undefined;
  /** The message, with `…` for what is put in at run time; undefined where it is not written beside the code. */
  readonly message: string | undefined;
}

const kindOfBase = new Map([
  ["BadInput", "bad-input"],
  ["NotFound", "not-found"],
  ["Conflict", "conflict"],
]);

/** Every error code that is written in the kernel, the SDK and the plugins. */
export async function findErrorPlaces(root: string, owners: readonly string[]): Promise<ErrorPlace[]> {
  const sources = (await readSources(root, ["kernel/src", "sdk/src", "plugins"], /\.ts$/))
    .filter(({ path }) => /^(kernel|sdk)\/src\/|^plugins\/[^/]+\/src\//.test(path))
    .map(({ path, text }) => ({ path, text: withoutComments(text) }));
  const kinds = kindsOfClasses(sources);
  const literal = new RegExp(`"((?:kernel|sdk|${owners.join("|")})/[a-z0-9-]+)"`, "g");
  return sources.flatMap((source) =>
    [...source.text.matchAll(literal)].map((match) => ({
      code: match[1]!,
      path: source.path,
      line: lineOf(source.text, match.index),
      kind: kindAt(source.text, match.index, kinds),
      message: messageAfter(source.text, match.index + match[0].length),
    })),
  );
}

/** The kind that each class of errors stands for, whether it extends `LongboxError` or another of them. */
function kindsOfClasses(sources: readonly Source[]): ReadonlyMap<string, string> {
  const kinds = new Map(kindOfBase);
  const declared = /class (\w+) extends (\w+)(?:(?!\nclass |\nexport class )[\s\S])*?super\(\s*(?:"([a-z-]+)",)?/g;
  // A class may be declared before the one that it extends is read.
  for (let pass = 0; pass < 3; pass += 1) {
    for (const { text } of sources)
      for (const [, name = "", base = "", written] of text.matchAll(declared)) {
        const kind = base === "LongboxError" ? written : kinds.get(base);
        if (kind !== undefined) kinds.set(name, kind);
      }
  }
  return kinds;
}

function kindAt(text: string, index: number, kinds: ReadonlyMap<string, string>): string | undefined {
  const open = enclosingParenthesis(text, index);
  const listed = /^"[^"]+"\s*:\s*"([a-z-]+)"/.exec(text.slice(index, index + 200))?.[1];
  if (open === undefined) return listed;
  const callee = /([\w.#]+)\s*$/.exec(text.slice(0, open))?.[1] ?? "";
  const written = /^\s*"([a-z-]+)"\s*,/.exec(text.slice(open + 1, index))?.[1];
  const name = callee === "super" ? baseOf(text, open) : callee;
  return name === "LongboxError" ? written : kinds.get(name);
}

function baseOf(text: string, index: number): string {
  return [...text.slice(0, index).matchAll(/class \w+ extends (\w+)/g)].at(-1)?.[1] ?? "";
}

/** Where the call begins that holds a place; undefined inside an object or a list. */
function enclosingParenthesis(text: string, index: number): number | undefined {
  let depth = 0;
  for (let at = index - 1; at > index - 2_000 && at >= 0; at -= 1) {
    const character = text[at]!;
    if (")]}".includes(character)) depth += 1;
    if (!"([{".includes(character)) continue;
    if (depth === 0) return character === "(" ? at : undefined;
    depth -= 1;
  }
  return undefined;
}

function messageAfter(text: string, index: number): string | undefined {
  const rest = text.slice(index, index + 800);
  const quoted = /^\s*,\s*(?:message: |error: )?"((?:[^"\\]|\\.)*)"/.exec(rest)?.[1];
  // Two codes beside each other in a list have no message.
  if (quoted !== undefined && !/^[\w-]+\/[\w-]+$/.test(quoted)) return quoted.replaceAll("\\", "");
  const template = /^\s*,\s*`((?:[^`\\]|\\.)*)`/.exec(rest)?.[1];
  const filled = template?.replaceAll(/"?\$\{(?:[^{}]|\{[^{}]*\})*\}"?/g, "…").replaceAll("\\", "");
  // What begins an expression that has texts of its own ends what is read of it here.
  return filled?.replace(/…?\$\{.*$/s, "…");
}
