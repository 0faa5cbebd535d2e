import { posix } from "node:path";
import type { Check } from "./check.js";
import { importsOf } from "./imports.js";
import { readSources } from "./sources.js";

type Graph = ReadonlyMap<string, readonly string[]>;

/**
 * No module imports itself through others. Imports of types count: two files that know each other's types are one
 * thing in two places.
 */
export const circlesCheck: Check = {
  name: "circular imports",
  async find(root) {
    const folders = ["sdk", "kernel", "registry", "plugins", "examples", "test"];
    const sources = await readSources(root, folders, /(?<!\.d)\.(?:ts|tsx|js|mjs)$/);
    const modules = new Set(sources.map(({ path }) => path));
    const graph = new Map(
      sources.map((source) => [
        source.path,
        importsOf(source).flatMap(({ specifier }) => targetOf(source.path, specifier, modules) ?? []),
      ]),
    );
    return circlesOf(graph).map((circle) => `${circle.join(" -> ")} -> ${circle[0]} is a circle.`);
  },
};

/** The module of this repository that is meant; undefined for what is installed. */
function targetOf(from: string, specifier: string, modules: ReadonlySet<string>): string | undefined {
  const written = specifier.startsWith(".")
    ? [posix.normalize(posix.join(posix.dirname(from), specifier))]
    : ownEntry(specifier);
  return written
    .flatMap((path) => [path, path.replace(/\.js$/, ".ts"), `${path}.ts`, `${path}/index.ts`])
    .find((path) => modules.has(path));
}

/** Where the entry of one of our packages may be: `@longbox/reading/contract` is `plugins/reading/src/contract.ts`. */
function ownEntry(specifier: string): string[] {
  const [, name = "", entry = "index"] = /^@longbox\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  return name === "" ? [] : ["", "plugins/", "examples/"].map((top) => `${top}${name}/src/${entry}`);
}

/** One circle for each knot of modules that reach each other: the shortest through its first module. */
function circlesOf(graph: Graph): string[][] {
  const settled = new Set<string>();
  const circles: string[][] = [];
  for (const module of [...graph.keys()].sort()) {
    if (settled.has(module)) continue;
    const circle = shortestCircle(graph, module);
    if (!circle) continue;
    circles.push(circle);
    for (const member of circle) settled.add(member);
  }
  return circles;
}

function shortestCircle(graph: Graph, start: string): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[start, undefined]]);
  for (const module of cameFrom.keys()) {
    for (const next of graph.get(module) ?? []) {
      if (next === start) return pathTo(module, cameFrom);
      if (!cameFrom.has(next)) cameFrom.set(next, module);
    }
  }
  return undefined;
}

function pathTo(end: string, cameFrom: ReadonlyMap<string, string | undefined>): string[] {
  const path: string[] = [];
  for (let module: string | undefined = end; module !== undefined; module = cameFrom.get(module)) path.unshift(module);
  return path;
}
