import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { z } from "zod";

/** A third-party package whose code is part of a published package. */
export interface ThirdParty {
  readonly name: string;
  readonly version: string;
  /** The SPDX expression, or the package's own text. */
  readonly licence: string;
  /** The texts of its licence files; empty when it ships none. */
  readonly texts: readonly string[];
}

const packageSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  license: z.union([z.string(), z.looseObject({ type: z.string() }).transform(({ type }) => type)]).default("UNKNOWN"),
});

/** What vite writes beside a client when `build.license` is set. */
const clientSchema = z.array(
  z.looseObject({
    name: z.string(),
    version: z.string(),
    identifier: z.string().nullish(),
    text: z.string().nullish(),
  }),
);

export const clientLicenceFile = "third-party.json";
const licenceFile = /^(un)?(rar)?(licen[cs]e|notice|copying)([._-].*)?$/i;

/** The folder of the third-party package that contains a module. */
export function packageFolderOf(modulePath: string): string | undefined {
  const mark = `${sep}node_modules${sep}`;
  const at = modulePath.lastIndexOf(mark);
  if (at < 0) return undefined;
  const [first = "", second = ""] = modulePath.slice(at + mark.length).split(sep);
  const name = first.startsWith("@") ? join(first, second) : first;
  return name.startsWith("@longbox") ? undefined : join(modulePath.slice(0, at + mark.length), name);
}

/** Reads the licence of an installed package. */
export async function readThirdParty(folder: string): Promise<ThirdParty> {
  const { name, version, license } = packageSchema.parse(
    JSON.parse(await readFile(join(folder, "package.json"), "utf8")),
  );
  const files = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && licenceFile.test(entry.name))
    .map((entry) => entry.name)
    .sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  return { name, version, licence: license, texts };
}

/** Reads the list that vite wrote beside a built client; empty when there is none. */
export async function readClientThirdParty(staged: string): Promise<ThirdParty[]> {
  const paths = await readdir(staged, { recursive: true });
  const lists = paths.filter((path) => path.endsWith(`${sep}${clientLicenceFile}`));
  const parsed = await Promise.all(
    lists.map(async (path) => clientSchema.parse(JSON.parse(await readFile(join(staged, path), "utf8")))),
  );
  return parsed.flat().map(({ name, version, identifier, text }) => ({
    name,
    version,
    licence: identifier ?? "UNKNOWN",
    texts: text ? [text] : [],
  }));
}

/** The packages of others that a package needs and does not contain: npm installs them beside it. */
export async function neededThirdParties(folder: string, names: readonly string[]): Promise<ThirdParty[]> {
  const folders = names.map((name) => installedFolder(folder, name));
  return Promise.all(folders.filter((found) => found !== undefined).map(readThirdParty));
}

/** Where a package finds another one, as Node looks for it; undefined when it is not installed. */
function installedFolder(from: string, name: string): string | undefined {
  const place = join(from, "node_modules", name);
  if (existsSync(join(place, "package.json"))) return place;
  const above = dirname(from);
  return above === from ? undefined : installedFolder(above, name);
}

export interface Notices {
  /** The package. */
  readonly of: string;
  /** What is in it. */
  readonly contained: readonly ThirdParty[];
  /** What is installed beside it. */
  readonly needed?: readonly ThirdParty[];
}

/** Writes `THIRD-PARTY-NOTICES.md` into a staged package: the third-party packages in it, and those that it needs. */
export async function writeNotices(staged: string, { of, contained, needed = [] }: Notices): Promise<void> {
  const [inside, beside] = [inOrder(contained), inOrder(needed)];
  const texts = inside.flatMap(({ name, version, texts: own }) =>
    own.map((text) => `## ${name} ${version}\n\n${fenced(text.trim())}\n`),
  );
  const parts = [
    `# Third-party notices of ${of}\n`,
    ...(inside.length === 0
      ? ["This package contains no work of others.\n"]
      : ["This package contains the work of others, under these licences.\n", tableOf(inside)]),
    ...(beside.length === 0 ? [] : ["It needs these packages, which are installed beside it.\n", tableOf(beside)]),
    ...texts,
  ];
  await writeFile(join(staged, "THIRD-PARTY-NOTICES.md"), parts.join("\n"));
}

/** Each package once, and none of our own. */
function inOrder(parts: readonly ThirdParty[]): ThirdParty[] {
  const unique = new Map(
    parts.filter(({ name }) => !name.startsWith("@longbox/")).map((part) => [`${part.name}@${part.version}`, part]),
  );
  return [...unique].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, part]) => part);
}

function tableOf(parts: readonly ThirdParty[]): string {
  const rows = parts.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`);
  return `| Package | Version | Licence |\n|---|---|---|\n${rows.join("\n")}\n`;
}

/** A fence longer than every run of backticks in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

/** The folders of the third-party packages of these modules. */
export function packageFoldersOf(modulePaths: Iterable<string>): string[] {
  const folders = [...modulePaths].map((path) => packageFolderOf(path.replace(/^\0/, "").replace(/\?.*$/, "")));
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

/** The folders of packages that were copied whole below `staged/node_modules`. */
export async function copiedPackageFolders(staged: string): Promise<string[]> {
  const root = join(staged, "node_modules");
  const entries = await readdir(root, { recursive: true }).catch(() => []);
  return entries
    .filter((path) => /^(@[^/]+\/)?[^/]+\/package\.json$/.test(path.split(sep).join("/")))
    .map((path) => dirname(join(root, path)));
}
