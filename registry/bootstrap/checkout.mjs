// What the bootstrap knows of the checkout: its root, its workspaces, its stamps, and how to run a tool of it.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** Folders of the workspaces, relative to the root: those that package.json names and that hold a package.json. */
export function workspaces() {
  return readJson(join(root, "package.json"))
    .workspaces.flatMap((pattern) => {
      if (!pattern.endsWith("/*")) return [pattern];
      const parent = pattern.slice(0, -2);
      return readdirSync(join(root, parent))
        .sort()
        .map((name) => `${parent}/${name}`);
    })
    .filter((folder) => existsSync(join(root, folder, "package.json")));
}

// Stamps record the state of the last install and build. They are in node_modules, so that they are deleted with it.
const stampFile = (name) => join(root, "node_modules", ".longbox", `${name}.json`);

export function readStamp(name) {
  try {
    return readJson(stampFile(name));
  } catch {
    return {}; // A missing or incomplete stamp means that the work is done again.
  }
}

// A new file takes the place of the old one, which a copy of the checkout with hard links has as well.
export function writeStamp(name, stamp) {
  const written = `${stampFile(name)}.${process.pid}`;
  mkdirSync(dirname(written), { recursive: true });
  writeFileSync(written, JSON.stringify(stamp));
  renameSync(written, stampFile(name));
}

/** The environment in which `node` is the pinned one, whatever the machine's own is. */
export function checkoutEnvironment() {
  return { ...process.env, PATH: `${join(root, "node_modules", ".bin")}${delimiter}${process.env.PATH ?? ""}` };
}

/**
 * Runs a program to its end with its output on stderr; that of a `quiet` one is shown only when it fails. Throws when
 * it fails.
 */
export function runTool(program, args, { cwd = root, failure, quiet = false }) {
  const output = quiet ? "pipe" : 2;
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    cwd,
    env: checkoutEnvironment(),
    stdio: ["ignore", output, output],
  });
  if (quiet && status !== 0) process.stderr.write(`${stdout ?? ""}${stderr ?? ""}`);
  if (error) throw new Error(`${failure}: ${error.message}`);
  if (status !== 0) throw new Error(`${failure}.`);
}

/** The same without what the program writes, while other programs run. */
export async function runToolBeside(program, args, { cwd, failure }) {
  const child = spawn(program, args, { cwd, env: checkoutEnvironment(), stdio: ["ignore", "pipe", "pipe"] });
  const written = [];
  for (const output of [child.stdout, child.stderr]) output.on("data", (chunk) => written.push(chunk));
  const code = await new Promise((resolve, reject) => {
    child.once("error", (error) => reject(new Error(`${failure}: ${error.message}`)));
    child.once("close", resolve);
  });
  if (code === 0) return;
  process.stderr.write(Buffer.concat(written));
  throw new Error(`${failure}.`);
}

export function say(message) {
  process.stderr.write(`${message}\n`);
}
