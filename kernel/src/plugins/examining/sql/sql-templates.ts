/** One `sql` template of a source file. */
export interface SqlTemplate {
  /** Where it begins in the source. */
  readonly index: number;
  /** Its text; what is filled in is a `?`. */
  readonly text: string;
}

/** A bundler may have numbered the name. */
const opening = /\bsql(?:\$\d+)?(?:<[^`]*?>)?`/g;

/**
 * The `sql` templates of a source, also those inside of others. Those inside of the calls in `spelledPerEngine` are
 * left out: each of them is for one engine on purpose.
 */
export function sqlTemplatesOf(source: string, spelledPerEngine: RegExp): SqlTemplate[] {
  const code = withoutComments(source);
  const spelled = [...code.matchAll(spelledPerEngine)].map(({ index }) => [index, closingOf(code, index)] as const);
  return [...code.matchAll(opening)]
    .filter(({ index }) => !spelled.some(([from, to]) => index > from && index < to))
    .map((match) => ({ index: match.index, text: templateText(code, match.index + match[0].length) }));
}

/** Where the call that begins here ends. Good enough for code that is formatted: brackets in texts are rare. */
export function closingOf(code: string, from: number): number {
  let depth = 0;
  for (let at = code.indexOf("(", from); at < code.length; at += 1) {
    if (code[at] === "(") depth += 1;
    if (code[at] === ")") depth -= 1;
    if (depth === 0) return at;
  }
  return code.length;
}

function templateText(code: string, from: number): string {
  let text = "";
  for (let at = from; at < code.length && code[at] !== "`"; at += 1) {
    if (code[at] === "\\") text += code[++at] ?? "";
    else if (code.startsWith("${", at)) {
      text += "?";
      at = endOfHole(code, at + 2);
    } else text += code[at] ?? "";
  }
  return text;
}

/** The closing brace of a hole, past templates that are filled in there. */
function endOfHole(code: string, from: number): number {
  let depth = 1;
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === "`") at = endOfTemplate(code, at + 1);
    else if (code[at] === "{") depth += 1;
    else if (code[at] === "}" && --depth === 0) return at;
  }
  return code.length;
}

function endOfTemplate(code: string, from: number): number {
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === "\\") at += 1;
    else if (code.startsWith("${", at)) at = endOfHole(code, at + 2);
    else if (code[at] === "`") return at;
  }
  return code.length;
}

/** Texts in quotes, which may hold what looks like a comment, and comments. */
const textOrComment = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\*[\s\S]*?\*\/|(?<![:"'`])\/\/.*$/gm;

/** Blanks comments, keeping places. A `//` inside of a template hides the rest of that line, but for an address. */
export function withoutComments(text: string): string {
  return text.replaceAll(textOrComment, (found) => (found.startsWith("/") ? found.replaceAll(/[^\n]/g, " ") : found));
}
