import { access, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { manifestSchema } from "@longbox/sdk/manifest";
import { namesOf, pluginFiles } from "./plugin-template.js";

/**
 * Writes a new plugin into `parent/<id>` of a checkout. In `plugins/` it also becomes a workspace: part of the build,
 * the lock file and node_modules, as `npm install` would make it.
 * @throws {Error} When the id is not one, or the folder is taken, or `parent` lies outside the checkout.
 */
export async function makePlugin(root: string, id: string, parent = join(root, "plugins")): Promise<string> {
  const checked = manifestSchema.shape.id.safeParse(id);
  if (!checked.success) throw new Error(`"${id}" cannot be a plugin's id: it ${checked.error.issues[0]?.message}.`);
  const folder = join(parent, id);
  if (relative(root, folder).startsWith(".."))
    throw new Error(`${parent} lies outside the checkout, where the SDK would not be found.`);
  if (
    await access(folder).then(
      () => true,
      () => false,
    )
  )
    throw new Error(`${folder} already exists.`);
  const files = pluginFiles(namesOf(id, relative(folder, root).split(sep).join("/")));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  if (parent === join(root, "plugins")) await joinWorkspace(root, id, files["package.json"] ?? "");
  return folder;
}

async function joinWorkspace(root: string, id: string, packageJson: string): Promise<void> {
  const { name, version, license, devDependencies, peerDependencies } = JSON.parse(packageJson) as {
    name: string;
    version: string;
    license: string;
    devDependencies: object;
    peerDependencies: object;
  };
  await changeJson(join(root, "tsconfig.json"), (tsconfig: { references: { path: string }[] }) => {
    const test = tsconfig.references.findIndex(({ path }) => path === "test");
    tsconfig.references.splice(
      test < 0 ? tsconfig.references.length : test,
      0,
      { path: `plugins/${id}` },
      { path: `plugins/${id}/client` },
    );
  });
  await changeJson(join(root, "package-lock.json"), (lock: { packages: Record<string, unknown> }) => {
    lock.packages[`plugins/${id}`] = { name, version, license, devDependencies, peerDependencies };
    lock.packages[`node_modules/${name}`] = { resolved: `plugins/${id}`, link: true };
    lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en")));
  });
  await symlink(join("..", "..", "plugins", id), join(root, "node_modules", name)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error; // A plugin of that name existed before; its link points to this one.
    },
  );
}

async function changeJson<T>(path: string, change: (value: T) => void): Promise<void> {
  const value = JSON.parse(await readFile(path, "utf8")) as T;
  change(value);
  await writeFile(path, `${JSON.stringify(value, undefined, 2)}\n`);
}
