// Where in the author's files a finding is: the server knows the package, not what it was built from.
import { existsSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";
import { unlessMissing } from "@longbox/sdk";
import { remedyFor } from "./remedies.js";
import type { Finding, Raw } from "./finding.js";

interface Place {
  readonly file: string;
  readonly line: number;
}

/** Adds to each finding the file and line that the author has to look at, and the remedy. */
export async function located(folder: string, findings: readonly Raw[]): Promise<Finding[]> {
  const sources = await readSources(folder);
  return findings.map((finding) => {
    const { file, line } = placeOf(finding, folder, sources);
    return { ...finding, file, line, remedy: remedyFor(finding.code) };
  });
}

/** Path to text: package.json first, then the entry, then the other sources. */
type Sources = ReadonlyMap<string, string>;

async function readSources(folder: string): Promise<Sources> {
  const found: string[] = [];
  for await (const file of glob("{src,client,client/src}/**/*.{ts,js,mjs,css}", { cwd: folder })) found.push(file);
  const entryFirst = [...new Set(found)].sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
  const texts = new Map<string, string>();
  for (const file of ["package.json", ...entryFirst]) {
    const text = await unlessMissing(readFile(join(folder, file), "utf8"));
    if (text !== undefined) texts.set(file, text);
  }
  return texts;
}

const rank = (file: string) => (/^src\/index\./.test(file) ? 0 : file.startsWith("src/") ? 1 : 2);

function placeOf({ message, file, line }: Raw, folder: string, sources: Sources): Partial<Place> {
  const own = file === undefined ? undefined : ownFile(folder, file);
  if (own !== undefined && line !== undefined) return { file: own, line };
  const within = own !== undefined && sources.has(own) ? new Map([[own, sources.get(own)!]]) : sources;
  const found = ofField(message, sources) ?? ofName(message, within) ?? ofCall(message, within);
  if (found !== undefined) return found;
  const first = own !== undefined && existsSync(join(folder, own)) ? own : [...sources.keys()][1];
  return { file: first ?? "package.json", line: 1 };
}

/** A source by its absolute path or by that of the module that was built from it. */
function ownFile(folder: string, file: string): string {
  const name = isAbsolute(file) ? relative(folder, file) : file;
  const source = [".ts", ".js"].map((ending) => name.replace(/^dist\/(.*)\.js$/, `src/$1${ending}`));
  return source.find((each) => existsSync(join(folder, each))) ?? name;
}

/** Where package.json has the field that a message names, such as `longbox.client.js`, or the object that lacks it. */
function ofField(message: string, sources: Sources): Place | undefined {
  const text = sources.get("package.json");
  const named = /\b(longbox(?:\.\w+)+|peerDependencies)|\bfields? (\w+)|(\w+) of package\.json/.exec(message);
  if (text === undefined || (named === null && !message.includes("manifest of"))) return undefined;
  const keys = (named?.[1] ?? named?.[2] ?? named?.[3] ?? "").split(".").filter((key) => !/^\d*$/.test(key));
  let at = 0;
  for (const key of keys) {
    const next = text.indexOf(`"${key}"`, at);
    if (next >= 0) at = next;
  }
  const value = quoted(message)
    .map((name) => text.indexOf(`"${name}"`, at))
    .find((index) => index >= 0);
  return { file: "package.json", line: lineAt(text, value ?? at) };
}

/** Where a name that a message puts into quotes, or the path of a route, stands first. */
function ofName(message: string, sources: Sources): Place | undefined {
  const route = /\b(?:GET|POST|PUT|PATCH|DELETE) (\/\S*)/.exec(message)?.[1];
  for (const name of [route, ...quoted(message)].filter((each) => each !== undefined)) {
    for (const [file, text] of sources) {
      const at = positionOf(name, text);
      if (at >= 0) return { file, line: lineAt(text, at) };
    }
  }
  return undefined;
}

/** What opens things that a plugin must close, by the words of the server for them. */
const openings: readonly (readonly [words: RegExp, call: RegExp])[] = [
  [/\binterval\b/, /\bsetInterval\(/],
  [/\b(timeout|timer)\b/, /\bset(Timeout|Interval)\(/],
  [/\bserver\b/, /\b(createServer|listen)\(/],
  [/\bsocket\b/, /\b(connect|createSocket|createConnection)\(/],
  [/\bwatch/, /\bwatch(File)?\(/],
  [/\bthread\b/, /\bnew Worker\(/],
  [/\bprocess\b/, /\b(spawn|fork|exec\w*|process\.on)\(/],
];

/** The first call that opens what a message names. */
function ofCall(message: string, sources: Sources): Place | undefined {
  const call = openings.find(([words]) => words.test(message))?.[1];
  if (call === undefined) return undefined;
  for (const [file, text] of sources) {
    const at = file === "package.json" ? -1 : text.search(call);
    if (at >= 0) return { file, line: lineAt(text, at) };
  }
  return undefined;
}

/** As a text, or as the name of a field. */
function positionOf(name: string, text: string): number {
  const literal = [`"${name}"`, `'${name}'`, `\`${name}\``].map((each) => text.indexOf(each)).find((at) => at >= 0);
  if (literal !== undefined || !/^[A-Za-z_$][\w$]*$/.test(name)) return literal ?? -1;
  return text.search(new RegExp(`(?<![\\w$."'])${name.replaceAll("$", "\\$")}\\s*:`));
}

const quoted = (message: string) => [...message.matchAll(/"([^"]+)"/g)].map(([, name]) => name!);
const lineAt = (text: string, index: number) => text.slice(0, index).split("\n").length;
