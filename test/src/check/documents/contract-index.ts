import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { workspaceFolders } from "@longbox/registry";
import type { Manifest } from "@longbox/sdk/manifest";
import semver from "semver";
import type { Check } from "../check.js";
import { readSources } from "../sources.js";
import { compareGenerated } from "./generated.js";

const page = "sdk/CONTRACTS.md";

type Declared = Partial<Pick<Manifest, "id" | "provides" | "opens" | "requires" | "optional" | "contributes">>;

interface Entry {
  readonly id: string;
  readonly version: string;
  readonly owner: string;
  /** What plugins of this repository use or fill it; in brackets, those that do without, too. */
  readonly users: readonly string[];
  readonly from: string;
  readonly purpose: string;
}

/** `sdk/CONTRACTS.md` lists the contracts and extension points that the manifests declare, and who uses them. */
export const contractIndexCheck: Check = {
  name: "index of contracts",
  async find(root) {
    const plugins = await manifests(root);
    const tokens = await tokensOf(root);
    const problems = plugins.flatMap((declared) => [...withoutToken(declared, tokens), ...misfitsOf(declared, tokens)]);
    if (problems.length > 0) return problems;
    const unsaid = withoutPurpose(tokens);
    if (unsaid.length > 0) return unsaid;
    const kernel: Declared = { id: "kernel", ...kernelsOwn(plugins, tokens) };
    const text = pageOf([kernel, ...plugins], tokens);
    return compareGenerated(root, page, text);
  },
};

function withoutToken({ id, provides, opens }: Declared, tokens: ReadonlyMap<string, Token>): string[] {
  return Object.keys({ ...provides, ...opens })
    .filter((capability) => !tokens.has(capability))
    .map((capability) => `The manifest of ${id} declares ${capability}, and no contract has a token of that id.`);
}

/** The versions and ranges of a manifest that the tokens do not fit. */
function misfitsOf(declared: Declared, tokens: ReadonlyMap<string, Token>): string[] {
  return (["provides", "opens", "requires", "optional", "contributes"] as const).flatMap((field) =>
    Object.entries(declared[field] ?? {}).flatMap(([capability, range]) => {
      const version = tokens.get(capability)?.version;
      if (version === undefined || semver.satisfies(version, range)) return [];
      return `The manifest of ${declared.id} names ${capability} ${range} (${field}), and the version of its token is ${version}.`;
    }),
  );
}

async function manifests(root: string): Promise<Declared[]> {
  const folders = await workspaceFolders(root);
  const packages = await Promise.all(
    folders.map(async (folder) => {
      const text = await readFile(join(folder, "package.json"), "utf8");
      return { folder, manifest: (JSON.parse(text) as { longbox?: Declared }).longbox };
    }),
  );
  return packages
    .filter(({ folder, manifest }) => manifest !== undefined && !folder.includes("/examples/"))
    .map(({ manifest }) => manifest!)
    .sort((a, b) => ((a.id ?? "") < (b.id ?? "") ? -1 : 1));
}

interface Token {
  readonly kind: "contract" | "extensionPoint";
  readonly version: string;
  readonly from: string;
  readonly purpose: string;
}

/**
 * Every token that a contract module or the SDK exports, with the first sentence above its interface, or else above
 * itself.
 */
async function tokensOf(root: string): Promise<ReadonlyMap<string, Token>> {
  const sources = await readSources(root, ["sdk/src", "plugins"], /\.ts$/);
  const pattern =
    /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?export const (\w+) = (contract|extensionPoint)<([\s\S]*?)>\(\s*"([^"]+)",\s*"([^"]+)"/g;
  const tokens = new Map<string, Token>();
  for (const { path, text } of sources.filter(({ path }) => /^(sdk|plugins\/[^/]+)\/src\//.test(path)))
    for (const [, above, , kind, type = "", id = "", version = ""] of text.matchAll(pattern)) {
      const from = path.startsWith("sdk/") ? "@longbox/sdk" : `@longbox/${path.split("/")[1]}/contract`;
      const purpose = firstSentence(commentAbove(text, type) ?? above ?? "");
      tokens.set(id, { kind: kind as Token["kind"], version, from, purpose });
    }
  return tokens;
}

/** The comment of the interface that a token stands for. */
function commentAbove(text: string, type: string): string | undefined {
  const pattern = new RegExp(
    `/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\s*export (?:interface|type) ${type.replace(/\W.*$/, "")}\\b`,
  );
  return pattern.exec(text)?.[1];
}

function firstSentence(comment: string): string {
  const text = comment
    .replaceAll(/^\s*\*\s?/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return /^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;
}

/** A purpose that several tokens share says nothing of any of them. */
function withoutPurpose(tokens: ReadonlyMap<string, Token>): string[] {
  return [...Map.groupBy(tokens, ([, { purpose }]) => purpose)]
    .filter(([purpose, same]) => purpose === "" || same.length > 1)
    .flatMap(([, same]) => same.map(([id]) => `The comment above the token of ${id} does not say what it is for.`));
}

/** What no plugin declares is the kernel's. */
function kernelsOwn(
  plugins: readonly Declared[],
  tokens: ReadonlyMap<string, Token>,
): Pick<Declared, "provides" | "opens"> {
  const declared = new Set(plugins.flatMap(({ provides, opens }) => Object.keys({ ...provides, ...opens })));
  const own = (kind: Token["kind"]) =>
    Object.fromEntries(
      [...tokens]
        .filter(([id, token]) => token.kind === kind && token.from === "@longbox/sdk" && !declared.has(id))
        .map(([id, { version }]) => [id, version]),
    );
  return { provides: own("contract"), opens: own("extensionPoint") };
}

function entriesOf(kind: "provides" | "opens", all: readonly Declared[], tokens: ReadonlyMap<string, Token>): Entry[] {
  return all
    .flatMap(({ id: owner = "", ...declared }) =>
      Object.entries(declared[kind] ?? {}).map(([id, version]) => ({
        id,
        version,
        owner,
        users: usersOf(id, all),
        from: tokens.get(id)?.from ?? "",
        purpose: tokens.get(id)?.purpose ?? "",
      })),
    )
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function usersOf(id: string, all: readonly Declared[]): string[] {
  return all.flatMap(({ id: name = "", requires = {}, optional = {}, contributes = {} }) => {
    if (id in requires || id in contributes) return [name];
    return id in optional ? [`(${name})`] : [];
  });
}

function pageOf(all: readonly Declared[], tokens: ReadonlyMap<string, Token>): string {
  return [
    "# Contracts and extension points",
    "",
    "Made from the manifests by `npm run check`. A plugin names what it needs under `requires` or `optional`, and what it",
    "adds to under `contributes`; the token comes from the entry in the last column. A name in brackets does without it,",
    "too.",
    "",
    "## Contracts",
    "",
    "| Contract | Version | Provided by | Used by | Purpose | Token from |",
    "|---|---|---|---|---|---|",
    ...entriesOf("provides", all, tokens).map(rowOf),
    "",
    "## Extension points",
    "",
    "| Extension point | Version | Opened by | Filled by | Purpose | Token from |",
    "|---|---|---|---|---|---|",
    ...entriesOf("opens", all, tokens).map(rowOf),
    "",
  ].join("\n");
}

function rowOf({ id, version, owner, users, purpose, from }: Entry): string {
  return `| \`${id}\` | ${version} | ${owner} | ${users.join(", ")} | ${purpose.replaceAll("|", "\\|")} | \`${from}\` |`;
}
