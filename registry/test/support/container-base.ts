import { execFile } from "node:child_process";
import { chmod, cp, mkdir, readlink, realpath, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What a build of the image and its start use of the base. */
const programs = ["sh", "env", "id", "stat", "chown", "mkdir", "find", "setpriv"];
/** Libraries that prebuilt packages load, and the look-up of names. */
const libraries = ["librt.so.1", "libresolv.so.2", "libnss_dns.so.2", "libnss_files.so.2"];

/**
 * Fills a folder with what `node:24-…` has and the image needs, from the programs of this machine: no registry of
 * containers is at hand, and a Debian from `debootstrap` takes minutes.
 */
export async function makeBase(folder: string): Promise<void> {
  for (const name of [
    "usr/local/bin",
    "usr/local/lib/node_modules",
    "usr/bin",
    "etc",
    "root",
    "proc",
    "dev",
    "sys",
    "tmp",
  ])
    await mkdir(join(folder, name), { recursive: true });
  await chmod(join(folder, "tmp"), 0o1777);
  for (const name of ["bin", "lib", "lib64"]) {
    const target = await readlink(`/${name}`).catch(() => undefined);
    if (target === undefined) continue;
    await mkdir(join(folder, target), { recursive: true });
    await symlink(target, join(folder, name));
  }
  await writeFile(join(folder, "etc/passwd"), "root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/tmp:/bin/sh\n");
  const paths = await Promise.all(programs.map(find));
  for (const path of paths) await copy(path, join(folder, path));
  await copy(process.execPath, join(folder, "usr/local/bin/node"));
  const needed = new Set((await Promise.all([...paths, process.execPath].map(librariesOf))).flat());
  const libc = [...needed].find((path) => basename(path) === "libc.so.6");
  for (const name of libraries) needed.add(join(dirname(libc ?? "/lib/libc.so.6"), name));
  for (const path of needed) await copy(path, join(folder, path));
}

const find = async (name: string): Promise<string> => (await run("which", [name])).stdout.trim();

/** Not where it is a link to, but under its own name. */
async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(await realpath(from), to);
}

async function librariesOf(program: string): Promise<string[]> {
  const { stdout } = await run("ldd", [program]);
  return [...stdout.matchAll(/(?:=> |^\s+)(\/\S+)/gm)].map(([, path]) => path!);
}

/**
 * npm as it is set up here: its registry, and the certificates that it trusts. It fails rather than that it waits for
 * long.
 */
export async function addNpm(folder: string): Promise<void> {
  const home = dirname(dirname(await realpath(await find("npm"))));
  await cp(home, join(folder, "usr/local/lib/node_modules/npm"), { recursive: true });
  await symlink("../lib/node_modules/npm/bin/npm-cli.js", join(folder, "usr/local/bin/npm"));
  const get = async (name: string) => (await run("npm", ["config", "get", name])).stdout.trim();
  const certificates = (await get("cafile")).replace(/^null$/, "") || process.env["NODE_EXTRA_CA_CERTS"];
  let settings = `registry=${await get("registry")}\nprefer-offline=true\nfetch-retries=1\nfetch-retry-mintimeout=1000\n`;
  if (certificates !== undefined) {
    await copy(certificates, join(folder, "etc/npm-certificates.pem"));
    settings += "cafile=/etc/npm-certificates.pem\n";
  }
  await writeFile(join(folder, "root/.npmrc"), settings);
}
