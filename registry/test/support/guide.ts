import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createPlugin } from "../../create-longbox-plugin/dist/index.js";

const root = join(import.meta.dirname, "..", "..", "..");
export const guidesFolder = join(root, "sdk", "guides");

type Json = Readonly<Record<string, unknown>>;

/** Does what a guide says, in a new folder. @returns the folder of the plugin */
export async function followGuide(guide: string, parent: string): Promise<string> {
  const text = await readFile(join(guidesFolder, guide), "utf8");
  const name = /^npm create longbox-plugin (\S+)$/m.exec(text)?.[1];
  if (name === undefined) throw new Error(`${guide} does not say how its plugin is made.`);
  const folder = join(parent, name);
  await createPlugin(folder, name);
  // What `npm install` would put there.
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  const installed = /npm install --save-dev (.+)$/m.exec(text)?.[1]?.split(" ") ?? [];
  await changePackage(folder, { devDependencies: Object.fromEntries(installed.map((each) => [each, "*"])) });
  for (const [, file, code] of text.matchAll(/^```\w+ file=(\S+)\n([^]*?)^```$/gm)) {
    if (file === "package.json") await changePackage(folder, JSON.parse(code!) as Json);
    else await write(join(folder, file!), code!);
  }
  for (const [, file] of text.matchAll(/^Delete `([^`]+)`/gm)) await rm(join(folder, file!));
  return folder;
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** Sets fields of package.json; those of `longbox` and of the dependencies one by one. */
async function changePackage(folder: string, { longbox, devDependencies, ...fields }: Json): Promise<void> {
  const file = join(folder, "package.json");
  const before = JSON.parse(await readFile(file, "utf8")) as Json & { longbox: object; devDependencies: object };
  const after = {
    ...before,
    ...fields,
    longbox: { ...before.longbox, ...(longbox as object | undefined) },
    devDependencies: { ...before.devDependencies, ...(devDependencies as object | undefined) },
  };
  await writeFile(file, JSON.stringify(after, undefined, 2));
}
