import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { readJson, readStamp, root, runTool, runToolBeside, say, workspaces, writeStamp } from "./checkout.mjs";

/**
 * Builds what changed: TypeScript by `tsc -b`, then what has a `build:bundle` script (the kernel's server, and its code
 * for processes of plugins), and the client of each plugin that has a `build:client` script.
 * Returns a fingerprint of everything that was built, which changes when any source does.
 */
export async function buildChanged() {
  const folders = workspaces();
  const prints = Object.fromEntries(folders.map((folder) => [folder, fingerprint(folder)]));
  const build = digest([
    printOf("tsconfig.base.json"),
    printOf("tsconfig.json"),
    printOf("package-lock.json"),
    ...Object.values(prints),
  ]);
  const stamp = readStamp("build");
  const compiled = (folder) => ["dist", "types"].some((made) => existsSync(join(root, folder, made, ".tsbuildinfo")));
  // The sources of a client: its own, the SDK's UI kit and how it is built, and those that plugins share with other
  // clients.
  const shared = folders.map((folder) => `${folder}/src/client`).filter((folder) => existsSync(join(root, folder)));
  const tools = ["sdk/src/client-build.ts", "sdk/src/addressed-templates.ts"].map(printOf);
  const kit = digest(["sdk/src/ui", "sdk/src/messages", ...shared].map(fingerprint).concat(tools));
  const clientPrint = (folder) => digest([prints[folder], kit]);
  const hasClient = (folder) => readJson(join(root, folder, "package.json")).scripts?.["build:client"] !== undefined;
  const projects = readJson(join(root, "tsconfig.json")).references.map(({ path }) => path);
  if (stamp.build !== build || !projects.every(compiled)) {
    say("Compiling …");
    runTool("tsc", ["-b"], { failure: "The checkout does not compile" });
  }
  const bundles = bundleChanged(folders, (folder) => digest([prints[folder], prints.sdk ?? ""]), stamp.bundles ?? {});
  const isBuilt = (folder) =>
    stamp.clients?.[folder] === clientPrint(folder) && existsSync(join(root, folder, "client", "dist"));
  await buildClients(folders.filter((folder) => hasClient(folder) && !isBuilt(folder)));
  const clients = Object.fromEntries(folders.map((folder) => [folder, clientPrint(folder)]));
  writeStamp("build", { build, bundles, clients });
  return build;
}

/** Two at a time: starting the tools takes most of it. */
async function buildClients(folders) {
  const left = [...folders];
  const buildThoseLeft = async () => {
    for (let folder = left.shift(); folder !== undefined; folder = left.shift()) {
      say(`Building the client of ${folder} …`);
      const failure = `The client of ${folder} could not be built`;
      await runToolBeside("npm", ["run", "--silent", "build:client"], { cwd: join(root, folder), failure });
    }
  };
  await Promise.all([buildThoseLeft(), buildThoseLeft()]);
}

/** What a bundle is made of last, in `dist`. */
const lastBundled = "packed/table.json";

/** Bundles the workspaces that have a `build:bundle` script and changed. Returns the fingerprint of each. */
function bundleChanged(folders, printFor, before) {
  const isBundled = (folder) => readJson(join(root, folder, "package.json")).scripts?.["build:bundle"] !== undefined;
  const prints = Object.fromEntries(folders.filter(isBundled).map((folder) => [folder, printFor(folder)]));
  for (const [folder, print] of Object.entries(prints)) {
    if (before[folder] === print && isNewer(folder, lastBundled, ".tsbuildinfo")) continue;
    say(`Bundling ${folder} …`);
    const failure = `${folder} could not be bundled`;
    runTool("npm", ["run", "--silent", "build:bundle"], { cwd: join(root, folder), quiet: true, failure });
  }
  return prints;
}

function isNewer(folder, ...files) {
  const [made, from] = files.map(
    (file) => statSync(join(root, folder, "dist", file), { throwIfNoEntry: false })?.mtimeMs,
  );
  return made !== undefined && made >= from;
}

// Path, size and time of change of every source of a workspace. Tests and what the build makes do not count.
function fingerprint(folder) {
  return digest(
    folder === "test"
      ? sources("test/src").concat(printOf("test/package.json"), printOf("test/tsconfig.json"))
      : sources(folder),
  );
}

// `types` is where a client's declarations go.
const notSources = ["node_modules", "dist", "test", "types"];

function sources(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.name.startsWith(".") || notSources.includes(entry.name)) return [];
      return entry.isDirectory() ? sources(path) : [printOf(path)];
    });
}

function printOf(path) {
  const { size, mtimeMs } = statSync(join(root, path));
  return `${path}:${size}:${mtimeMs}`;
}

function digest(lines) {
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}
