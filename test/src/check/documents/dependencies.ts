import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { workspaceFolders } from "@longbox/registry";
import { z } from "zod";
import type { Check } from "../check.js";

const names = z.record(z.string(), z.string()).default({});
const packageSchema = z.object({
  dependencies: names,
  devDependencies: names,
  peerDependencies: names,
  optionalDependencies: names,
  allowScripts: z.record(z.string(), z.boolean()).default({}),
});
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ license: z.string().optional(), hasInstallScript: z.boolean().optional() }).loose(),
  ),
});

/**
 * DEPENDENCIES.md says of each dependency what it is for, why this one, and its licence; and of each install script why
 * it runs or not. `allowScripts` lists the packages that have one, and no others.
 */
export const dependenciesCheck: Check = {
  name: "dependencies",
  async find(root) {
    const { packages: locked } = lockSchema.parse(JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")));
    const text = await readFile(join(root, "DEPENDENCIES.md"), "utf8");
    const { allowScripts } = packageSchema.parse(JSON.parse(await readFile(join(root, "package.json"), "utf8")));
    const withScript = Object.entries(locked)
      .filter(([, entry]) => entry.hasInstallScript)
      .map(([path]) => nameOf(path));
    return [
      ...difference(withScript, Object.keys(allowScripts), "allowScripts of package.json"),
      ...difference(
        withScript,
        rowsOf(text, "Install scripts").map(([name]) => name!),
        "DEPENDENCIES.md, Install scripts",
      ),
      ...(await dependencyProblems(root, text, locked)),
    ];
  },
};

type Locked = z.output<typeof lockSchema>["packages"];

async function dependencyProblems(root: string, text: string, locked: Locked): Promise<string[]> {
  const wanted = await placesOfDependencies(root);
  const rows = new Map(rowsOf(text, "Packages").map(([name = "", ...cells]) => [name, cells]));
  const licences = [...rows].flatMap(([name, cells]) => {
    const licence = (wanted.get(name) ?? []).map((place) => locked[place]?.license).find(Boolean);
    const said = cells.at(-1);
    return licence === undefined || licence === said
      ? []
      : [`DEPENDENCIES.md says that ${name} is under ${said}; it is under ${licence}.`];
  });
  return [...difference([...wanted.keys()], [...rows.keys()], "DEPENDENCIES.md, Packages"), ...licences];
}

/** Each package that a package.json of ours names, and where the lock file may have it. */
async function placesOfDependencies(root: string): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const folder of [root, ...(await workspaceFolders(root))]) {
    const manifest = packageSchema.parse(JSON.parse(await readFile(join(folder, "package.json"), "utf8")));
    const { dependencies, devDependencies, peerDependencies, optionalDependencies } = manifest;
    const own = relative(root, folder);
    for (const name of Object.keys({
      ...dependencies,
      ...devDependencies,
      ...peerDependencies,
      ...optionalDependencies,
    })) {
      if (name.startsWith("@longbox/") || name.startsWith("@types/")) continue;
      const inside = `${own === "" ? "" : `${own}/`}node_modules/${name}`;
      found.set(name, [...(found.get(name) ?? []), inside, `node_modules/${name}`]);
    }
  }
  return found;
}

/** The cells of each row of the table under a heading; the first without its backticks. */
function rowsOf(text: string, heading: string): string[][] {
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^\| `([^`]+)` \|(.*)\|$/gm)].map(([, name = "", cells = ""]) => [
    name,
    ...cells.split("|").map((cell) => cell.trim()),
  ]);
}

function difference(wanted: readonly string[], said: readonly string[], where: string): string[] {
  return [
    ...wanted.filter((name) => !said.includes(name)).map((name) => `${where} lacks ${name}.`),
    ...said.filter((name) => !wanted.includes(name)).map((name) => `${where} names ${name}, which is not used.`),
  ];
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}
