import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** A folder of code that an isolated plugin may read. */
export interface CodeFolder {
  /** Where modules look for it; may be a link. */
  readonly place: string;
  readonly real: string;
}

/** `dist` of the kernel. */
const kernelCode = fileURLToPath(new URL("../../../", import.meta.url));
/** The bundled code of the process, beside the shared packages that are bundled with it. */
const processCode = path.join(kernelCode, "isolated-process");
/** The module that a process starts with. */
export const processEntry = path.join(processCode, "entry.js");

/** Changes with each build of the code that runs in the process. */
export function codeStamp(): string {
  const { size, mtimeMs } = statSync(processEntry);
  return `${size} ${mtimeMs}`;
}

/** The shared packages that work without native code, for those of their modules that are not bundled. */
const packages = ["@longbox/sdk", "zod", "kysely"];

/** The code of the host that runs inside of the process of an isolated plugin. */
export function hostCode(): CodeFolder[] {
  const kernel = path.dirname(kernelCode.replace(/\/$/, ""));
  const own = [processCode, path.join(kernel, "package.json")].map((place) => ({ place, real: place }));
  return [...own, ...packages.map((name) => findPackage(name, kernel))];
}

/** The same with all packages of the host, for plugins whose modules need its native code to be loaded. */
export function wholeHostCode(): CodeFolder[] {
  const kernel = path.dirname(kernelCode.replace(/\/$/, ""));
  const found = ["sharp", "zod", "kysely", "@longbox/sdk", "tsyringe", "@napi-rs/canvas"].map((name) => {
    const { place } = findPackage(name, kernel);
    return place.slice(0, -name.length - 1);
  });
  const own = [
    kernelCode.replace(/\/$/, ""),
    path.join(kernel, "package.json"),
    findPackage("@longbox/sdk", kernel).real,
  ];
  return [...new Set([...own, ...found])].map((place) => ({ place, real: place }));
}

/**
 * The code of a plugin. A package of the store has its dependencies inside; those of a folder under development lie
 * around it.
 */
export function pluginCode({ folder, linked }: { readonly folder: string; readonly linked: boolean }): CodeFolder[] {
  const found = new Map<string, CodeFolder>([[folder, { place: folder, real: folder }]]);
  if (linked) for (const { real } of found.values()) addDependencies(found, real);
  return [...found.values()];
}

/** Of a package that is found inside of another, the outer one counts. */
function addDependencies(found: Map<string, CodeFolder>, of: string): void {
  for (const dependency of dependenciesOf(of)) {
    const isInside = [...found.keys()].some((place) => dependency.place.startsWith(place + path.sep));
    if (!isInside) found.set(dependency.place, dependency);
  }
}

/** What the package needs at run time; among the packages for its development are those whose contracts it uses. */
function dependenciesOf(folder: string): CodeFolder[] {
  const { dependencies, peerDependencies, devDependencies } = readPackage(folder);
  const folders = (names: object = {}) =>
    Object.keys(names).flatMap((name) => (packages.includes(name) ? [] : (lookFor(name, folder) ?? [])));
  const contracts = folders(devDependencies).filter(({ real }) => readPackage(real).longbox !== undefined);
  return [...folders(dependencies), ...folders(peerDependencies), ...contracts];
}

function readPackage(folder: string): z.output<typeof packageSchema> {
  const file = path.join(folder, "package.json");
  return packageSchema.parse(existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {});
}

const names = z.record(z.string(), z.string()).optional();
const packageSchema = z.object({
  dependencies: names,
  peerDependencies: names,
  devDependencies: names,
  longbox: z.unknown().optional(),
});

function findPackage(name: string, from: string): CodeFolder {
  const found = lookFor(name, from);
  if (found) return found;
  throw new Error(`The package ${name} is not installed beside the kernel.`);
}

/** As Node looks for the package of an import. */
function lookFor(name: string, from: string): CodeFolder | undefined {
  for (let at = from; ; at = path.dirname(at)) {
    const place = path.join(at, "node_modules", name);
    if (existsSync(place)) return { place, real: realpathSync(place) };
    if (at === path.dirname(at)) return undefined;
  }
}
