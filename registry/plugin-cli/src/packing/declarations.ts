// The declarations (.d.ts) of a package that others can reach.
import { readFile } from "node:fs/promises";
import { posix } from "node:path";
import { unlessMissing } from "@longbox/sdk";
import { parseAstAsync } from "rolldown/parseAst";
import type { PackageJson } from "./package-json.js";

const ending = /(?:\.d\.ts|\.js)$/;
const reference = /^\/\/\/\s*<reference\s+path=["']([^"']+)["']/gm;

/**
 * The declarations that the exports of a package lead to, directly or through imports: the others describe modules that
 * are bundled, and a user of the package sees nothing of them.
 * @param folder - of the built package
 * @returns paths relative to it; nothing where it cannot be told, so that all have to be kept
 */
export async function reachableDeclarations(
  folder: string,
  { exports }: Pick<PackageJson, "exports">,
): Promise<ReadonlySet<string> | undefined> {
  const waiting = [...targetsIn(exports)];
  if (waiting.some((target) => target.includes("*"))) return undefined;
  const reached = new Set<string>();
  for (const target of waiting) {
    for (const file of filesMeant(posix.normalize(target))) {
      if (reached.has(file)) continue;
      const text = await unlessMissing(readFile(posix.join(folder, file), "utf8"));
      if (text === undefined) continue;
      reached.add(file);
      const leads = await leadsOf(text, file);
      if (leads === undefined) return undefined;
      waiting.push(...leads.map((to) => posix.join(posix.dirname(file), to)));
    }
  }
  return reached;
}

/** The files that exports name, under whatever conditions. */
function targetsIn(exports: unknown): string[] {
  if (typeof exports === "string") return [exports];
  return typeof exports === "object" && exports !== null ? Object.values(exports).flatMap(targetsIn) : [];
}

/** The declarations that a module's name may stand for. */
function filesMeant(name: string): string[] {
  if (ending.test(name)) return [name.replace(ending, ".d.ts")];
  return [`${name}.d.ts`, `${name}/index.d.ts`];
}

/** The relative names that a declaration imports; nothing when it cannot be parsed. */
async function leadsOf(text: string, file: string): Promise<string[] | undefined> {
  const names = [...text.matchAll(reference)].map(([, path]) => `./${path}`);
  try {
    collect(await parseAstAsync(text, { lang: "dts" }, file), names);
  } catch {
    return undefined;
  }
  return names.filter((name) => name.startsWith("."));
}

/** Of imports, of exports from elsewhere, and of types such as `import("./other.js").Other`. */
function collect(node: unknown, names: string[]): void {
  if (typeof node !== "object" || node === null) return;
  const { source, expression } = node as { readonly source?: Literal; readonly expression?: Literal };
  const isReference = (node as { readonly type?: unknown }).type === "TSExternalModuleReference";
  const name = source?.value ?? (isReference ? expression?.value : undefined);
  if (typeof name === "string") names.push(name);
  for (const part of Object.values(node)) collect(part, names);
}

interface Literal {
  readonly value?: unknown;
}
