import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { readJson, readStamp, root, runTool, say, writeStamp } from "./checkout.mjs";

/** Runs `npm ci` when a node_modules folder, the root's or a workspace's, does not hold what the lock file says. */
export function installChanged() {
  const text = readFileSync(join(root, "package-lock.json"));
  const lock = createHash("sha256").update(text).digest("hex");
  const wanted = Object.entries(JSON.parse(text).packages).filter(isNeeded);
  for (const [path, entry] of wanted) if (entry.link && !isPresent([path])) linkWorkspace(path, entry.resolved);
  // The stamp has only versions, so deleted packages are detected on the disk: a millisecond per hundred packages.
  const isKnown = readStamp("install").lock === lock;
  if (wanted.every(isPresent) && (isKnown || wanted.every(hasVersion))) {
    if (!isKnown) writeStamp("install", { lock });
    return;
  }
  say("Installing dependencies (npm ci); this takes a minute or two …");
  runTool("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    failure: "The dependencies could not be installed",
  });
  const missing = wanted.filter((entry) => !isPresent(entry)).map(([path]) => path);
  if (missing.length > 0) throw new Error(`npm ci did not install ${missing.slice(0, 3).join(", ")}.`);
  writeStamp("install", { lock });
}

// A new package of the checkout needs only its link.
function linkWorkspace(path, folder) {
  const link = join(root, path);
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(relative(dirname(link), join(root, folder)), link);
}

// npm may leave out optional dependencies and peer dependencies.
function isNeeded([path, entry]) {
  return path.includes("node_modules/") && !entry.optional && !entry.peer;
}

function isPresent([path]) {
  return existsSync(join(root, path, "package.json"));
}

function hasVersion([path, entry]) {
  return entry.link || readJson(join(root, path, "package.json")).version === entry.version;
}
