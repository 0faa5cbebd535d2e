/** The parts of names. Unknown parts are undefined, and are left out of the name with their brackets. */
export interface NameParts {
  readonly publisher: string | undefined;
  readonly series: string | undefined;
  /** In which the series began. */
  readonly year: number | undefined;
  readonly volume: number | undefined;
  readonly issue: string | undefined;
  readonly title: string | undefined;
  /** Of the cover, such as `2019-05-01`. */
  readonly date: string | undefined;
  readonly edition: string | undefined;
  readonly type: string | undefined;
}

const tokenPattern = /\{([a-z]+)(?::(\d{1,2}))?\}/g;
const tokens: ReadonlySet<string> = new Set([
  "publisher",
  "series",
  "year",
  "volume",
  "issue",
  "title",
  "date",
  "edition",
  "type",
] satisfies Array<keyof NameParts>);
/** Stands for a token without a value until its surroundings have been tidied. */
const nothing = "\u0000";
const longestPart = 180;
const longestPattern = 300;

/** What is wrong with a pattern, in sentences; empty when it can be used. */
export function patternErrors(pattern: string, role: "folder" | "file"): string[] {
  const name = role === "folder" ? "folderPattern" : "filePattern";
  const errors: string[] = [];
  for (const [whole, token, width] of pattern.matchAll(tokenPattern)) {
    if (!tokens.has(token!)) errors.push(`${name}: there is no token ${whole}`);
    else if (width !== undefined && token !== "issue") errors.push(`${name}: only {issue} takes a width`);
  }
  const rest = pattern.replace(tokenPattern, "");
  if (/[{}]/.test(rest)) errors.push(`${name}: a brace stands alone`);
  // oxlint-disable-next-line no-control-regex
  if (/[\\:*?"<>|\u0000-\u001f]/.test(rest)) errors.push(`${name}: \\ : * ? " < > | cannot stand in names`);
  if (pattern.length > longestPattern) errors.push(`${name}: is longer than ${longestPattern} characters`);
  if (role === "file" && rest.includes("/")) errors.push(`${name}: / cannot stand in the name of a file`);
  if (role === "folder" && pattern.split("/").some((part) => /^\s*\.{1,2}\s*$/.test(part) || part.trim() === ""))
    errors.push(`${name}: has an empty part, or one that is only dots`);
  if (role === "folder" && !pattern.includes("{series}"))
    errors.push(`${name}: needs {series}, or all series would share a folder`);
  if (role === "file" && !/\{issue(?::\d{1,2})?\}/.test(pattern))
    errors.push(`${name}: needs {issue}, or all files would have one name`);
  return errors;
}

/** The tokens in a pattern that nothing is known for, in their order. */
export function unknownTokens(pattern: string, parts: NameParts): string[] {
  const used = new Set([...pattern.matchAll(tokenPattern)].map(([, token]) => token as keyof NameParts));
  return [...used].filter((token) => parts[token] === undefined || parts[token] === "");
}

/**
 * Makes a folder's path, relative to the library, with `/` between its parts; undefined when nothing of it is known.
 */
export function folderName(pattern: string, parts: NameParts): string | undefined {
  const names = pattern
    .split("/")
    .map((part) => fill(part, parts))
    .filter((name) => name !== "");
  return names.length === 0 || parts.series === undefined ? undefined : names.join("/");
}

/** Makes a file's name without its extension; undefined when it would not tell the issue. */
export function fileName(pattern: string, parts: NameParts): string | undefined {
  const name = fill(pattern, parts);
  return name === "" || parts.issue === undefined ? undefined : name;
}

function fill(pattern: string, parts: NameParts): string {
  const filled = pattern.replace(tokenPattern, (_whole, token: keyof NameParts, width: string | undefined) => {
    const value = parts[token];
    if (value === undefined || value === "") return nothing;
    return cleaned(token === "issue" ? paddedNumber(String(value), Number(width ?? 0)) : String(value)) || nothing;
  });
  return shortened(safe(withoutNothing(filled)));
}

/** Brackets with nothing in them go, and so do separators that no longer separate. */
function withoutNothing(text: string): string {
  let tidy = text;
  for (let before = ""; before !== tidy;) {
    before = tidy;
    // oxlint-disable-next-line no-control-regex
    tidy = tidy.replace(/[([][^()[\]\p{L}\p{N}]*\u0000[^()[\]\p{L}\p{N}]*[)\]]/gu, "");
  }
  // oxlint-disable-next-line no-control-regex
  tidy = tidy.replace(/\s*[-–_,#]*\s*\u0000/g, (found) => (found.trim().length > 1 ? " " : "")).replaceAll(nothing, "");
  return tidy
    .replace(/\s{2,}/g, " ")
    .replace(/^[\s\-–_,]+(?=.)|[\s\-–_,#]+$/g, "")
    .trim();
}

/** Pads the whole number in an issue's number: `1.5` becomes `001.5`, `½` and `Annual 1` stay. */
export function paddedNumber(number: string, width: number): string {
  const found = /^([A-Za-z]?-?)(\d+)(.*)$/u.exec(number);
  return found && !/^\s*\p{L}{3,}\s/u.test(number) ? `${found[1]}${found[2]!.padStart(width, "0")}${found[3]}` : number;
}

/** A value without what file systems do not take. */
function cleaned(value: string): string {
  // oxlint-disable-next-line no-control-regex
  return value
    .normalize("NFC")
    .replace(/\s*:\s+/g, " - ")
    .replace(/[/\\|]/g, "-")
    .replace(/["*?<>:\u0000-\u001f\u007f]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Names that hide, climb or mean a device somewhere get an underscore. */
function safe(name: string): string {
  const plain = name
    .replace(/[. ]+$/, "")
    .replace(/^\.+/, "")
    .trim();
  return /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(plain) ? `_${plain}` : plain;
}

/** Limited in bytes, like names in file systems; never cut inside a character. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= longestPart) return name;
  let short = "";
  let bytes = 0;
  for (const character of name) {
    bytes += Buffer.byteLength(character);
    if (bytes > longestPart) break;
    short += character;
  }
  return short.replace(/[. ]+$/, "");
}
