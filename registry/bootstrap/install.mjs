import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readJson, readStamp, root, runTool, say, writeStamp } from "./checkout.mjs";

/** Runs `npm ci` when node_modules is missing or does not hold what the lock file says. */
export function installChanged() {
  const lock = createHash("sha256").update(readFileSync(join(root, "package-lock.json"))).digest("hex");
  if (readStamp("install").lock === lock) return;
  if (!holdsTheLock()) {
    say("Installing dependencies (npm ci); this takes a minute or two …");
    runTool("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { failure: "The dependencies could not be installed" });
  }
  writeStamp("install", { lock });
}

// npm leaves its own record of what it put into node_modules. Somebody who ran `npm install` needs no second install.
function holdsTheLock() {
  const record = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(record)) return false;
  const wanted = readJson(join(root, "package-lock.json")).packages;
  const present = readJson(record).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes("node_modules/") || entry.link || entry.optional || entry.peer) return true;
    return present[path]?.version === entry.version && present[path]?.integrity === entry.integrity;
  });
}
