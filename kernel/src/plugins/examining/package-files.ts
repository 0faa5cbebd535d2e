import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { unlessMissing } from "@longbox/sdk";
import type { Manifest, PluginPackage } from "@longbox/sdk/manifest";
import semver from "semver";
import { sharedVersions } from "../../versions.js";
import { kernelNames, wordsBesidePlugins } from "../packages/kernel-names.js";
import { parsePluginPackage } from "../packages/plugin-package.js";
import { examineDeclarations, undeclaredPermissions } from "./declarations.js";
import type { Mistake } from "./mistakes.js";
import { examineModules, type ReferredModule } from "./referred-modules.js";

/** A package to examine, without running any of it. */
export interface ExaminedPackage {
  readonly folder: string;
  /** The module of the plugin, relative to the folder. */
  readonly entry: string;
  readonly sdkVersion: string;
}

interface Found extends ExaminedPackage {
  readonly description: PluginPackage & Readonly<Record<string, unknown>>;
}

/** The scope of the included plugins. They share names that the specification of the API fixes. */
const houseScope = "@longbox/";

/** The mistakes that the files of a package show: its package.json, and what it refers to. */
export async function examineFiles(examined: ExaminedPackage): Promise<Mistake[]> {
  const text = await readFile(path.join(examined.folder, "package.json"), "utf8");
  const found: Found = { ...examined, description: parsePluginPackage(text, path.basename(examined.folder)) };
  return [
    ...sharedRanges(found),
    ...nodeRange(found),
    ...platforms(found),
    ...moduleNames(found.description.longbox),
    ...examineDeclarations(found.description.longbox),
    ...(await entryFile(found)),
    ...(await referredFiles(found)),
    ...(found.description.name.startsWith(houseScope) ? [] : foreignNames(found)),
    ...(await examineModules(found.folder, referredModules(found.description.longbox))),
    ...(await kitOfClient(found)),
    ...(await undefinedElements(found)),
    ...(await undeclaredEvents(found)),
    ...(await papers(found)),
  ];
}

/** A plugin gets the host's copies of these packages, whatever it was written for. */
function sharedRanges({ description, sdkVersion }: Found): Mistake[] {
  const versions = { "@longbox/sdk": sdkVersion, ...sharedVersions };
  return (["peerDependencies", "dependencies"] as const).flatMap((field) => {
    const ranges = (description[field] ?? {}) as Readonly<Record<string, unknown>>;
    return Object.entries(versions).flatMap(([name, version]): Mistake[] => {
      const range = ranges[name];
      if (range === undefined) return [];
      if (typeof range === "string" && semver.satisfies(version, range, { includePrerelease: true })) return [];
      const message = `The field ${field}["${name}"] of package.json is ${JSON.stringify(range)}, and the ${name === "@longbox/sdk" ? "SDK" : name} here is ${version}.`;
      return [{ code: "peer-range", file: "package.json", message }];
    });
  });
}

/** npm only warns of it; here the plugin would fail later, for no reason that a person could see. */
function nodeRange({ description }: Found): Mistake[] {
  const { node } = (description["engines"] ?? {}) as { readonly node?: unknown };
  if (node === undefined) return [];
  const named = `The field engines.node of package.json is ${JSON.stringify(node)}`;
  if (typeof node !== "string" || semver.validRange(node) === null)
    return [
      {
        code: "engines-node",
        file: "package.json",
        message: `${named}, which is not a range of versions, such as ">=24".`,
      },
    ];
  if (semver.satisfies(process.versions.node, node, { includePrerelease: true })) return [];
  const message = `${named}, and this server runs on Node ${process.versions.node}.`;
  return [{ code: "engines-node", file: "package.json", message }];
}

/** As npm would refuse it. */
function platforms({ description }: Found): Mistake[] {
  return (["os", "cpu"] as const).flatMap((field): Mistake[] => {
    const wanted = description[field];
    const here = field === "os" ? process.platform : process.arch;
    if (!Array.isArray(wanted) || wanted.length === 0) return [];
    const fits =
      wanted.includes(here) || (!wanted.includes(`!${here}`) && wanted.every((each) => /^!/.test(String(each))));
    if (fits) return [];
    const message = `The field ${field} of package.json is ${JSON.stringify(wanted)}, and this server runs on ${here}.`;
    return [{ code: "platform", file: "package.json", message }];
  });
}

/** Browsers and Node tell by its name what a file is. */
function moduleNames({ client, workers }: Manifest): Mistake[] {
  const named: readonly (readonly [field: string, file: string | undefined, ending: RegExp, words: string])[] = [
    ["client.js", client?.js, /\.m?js$/, ".js or .mjs"],
    ["client.css", client?.css, /\.css$/, ".css"],
    ...Object.entries(workers).map(([name, file]) => [`workers.${name}`, file, /\.[cm]?js$/, ".js or .mjs"] as const),
  ];
  return named.flatMap(([field, file, ending, words]): Mistake[] => {
    if (file === undefined || ending.test(file)) return [];
    const message = `The field longbox.${field} of package.json names "${file}": its name has to end with ${words}.`;
    return [{ code: "file-kind", file: "package.json", message }];
  });
}

async function entryFile({ folder, entry, description }: Found): Promise<Mistake[]> {
  if (!(await isFile(folder, entry)))
    return [
      {
        code: "entry-missing",
        file: entry,
        message: `The field exports of package.json names "${entry}", which is ${(await isFolder(folder, entry)) ? "a folder: name the module in it" : "not in the package"}.`,
      },
    ];
  if (!/\.[cm]?js$/.test(entry))
    return [
      {
        code: "not-a-module",
        file: entry,
        message: `The file "${entry}", which the field exports of package.json names, is not a module of JavaScript: its name has to end with .js or .mjs.`,
      },
    ];
  if (entry.endsWith(".mjs") || (description["type"] === "module" && !entry.endsWith(".cjs"))) return [];
  return [
    {
      code: "not-a-module",
      file: entry,
      message: `The file "${entry}" is CommonJS. A plugin is an ES module: set the field type of package.json to "module".`,
    },
  ];
}

async function referredFiles({ folder, description: { longbox } }: Found): Promise<Mistake[]> {
  const mistakes: Mistake[] = [];
  for (const field of ["js", "css"] as const) {
    const file = longbox.client?.[field];
    if (file === undefined) continue;
    const named = `The field longbox.client.${field} of package.json names "${file}"`;
    if (!(await isFile(folder, file)))
      mistakes.push({ code: "client-file-missing", file, message: `${named}, which is not in the package.` });
    else if (path.posix.dirname(path.posix.normalize(file)) === ".")
      mistakes.push({
        code: "client-file-not-served",
        file,
        message: `${named}, which is not served to browsers: only the files of a folder are, such as "client/${file}".`,
      });
  }
  for (const [name, file] of Object.entries(longbox.workers))
    if (!(await isFile(folder, file)))
      mistakes.push({
        code: "worker-missing",
        file,
        message: `The field longbox.workers.${name} of package.json names "${file}", which is not in the package.`,
      });
  if (longbox.site !== undefined && !(await isFile(folder, `${longbox.site}/index.html`)))
    mistakes.push({
      code: "site-missing",
      file: longbox.site,
      message: `The field longbox.site of package.json names "${longbox.site}", which has no index.html.`,
    });
  return mistakes;
}

const referredModules = ({ client, workers }: Manifest): ReferredModule[] => [
  ...(client?.js === undefined ? [] : [{ file: client.js, runsIn: "browser" } as const]),
  ...Object.values(workers).map((file) => ({ file, runsIn: "node" }) as const),
];

/** Permissions and elements that could be another plugin's. */
function foreignNames({ description: { longbox } }: Found): Mistake[] {
  const { id, client, permissions } = longbox;
  const keys = permissions.filter(({ key }) => !key.startsWith(`${id}.`));
  const parts = [...(client?.pages ?? []), ...(client?.slots ?? []), ...(client?.actions ?? [])];
  const elements = new Set(parts.map(({ element }) => element ?? id).filter((name) => !isOwnElement(name, id)));
  return [
    ...reservedNames(longbox),
    ...undeclaredPermissions(longbox),
    ...keys.map(({ key }): Mistake => {
      const message = `The field longbox.permissions of package.json declares "${key}"; the permissions of this plugin begin with "${id}.".`;
      return { code: "permission-namespace", file: "package.json", message };
    }),
    ...[...elements].map((element): Mistake => {
      const message = `The field longbox.client of package.json names the element "${element}"; the elements of this plugin begin with "${id}-".`;
      return { code: "element-prefix", file: "package.json", message };
    }),
  ];
}

function reservedNames({ id, events, provides, opens }: Manifest): Mistake[] {
  const contracts = [...Object.keys(provides), ...Object.keys(opens)].filter((name) =>
    kernelNames.has(name.split(".")[0]!),
  );
  const names = [
    ...(kernelNames.has(id) || wordsBesidePlugins.has(id) ? [["id", id] as const] : []),
    ...events.filter(({ domain }) => kernelNames.has(domain)).map(({ domain }) => ["events", domain] as const),
    ...contracts.map((name) => [name in provides ? "provides" : "opens", name] as const),
  ];
  return names.map(([field, name]): Mistake => {
    const message = `The field longbox.${field} of package.json is or declares "${name}", a name by which the server calls things of its own.`;
    return { code: "reserved-name", file: "package.json", message };
  });
}

const isOwnElement = (name: string, id: string) => name === id || name.startsWith(`${id}-`);

/** The first line of a client that was built with the UI kit says with which version. */
const kitLine = /^\/\*! longbox-kit (\S+) \*\//;

async function kitOfClient({ folder, description: { longbox }, sdkVersion }: Found): Promise<Mistake[]> {
  const file = longbox.client?.js;
  if (file === undefined || !(await isFile(folder, file))) return [];
  const kit = kitLine.exec(await readFile(path.join(folder, file), "utf8"))?.[1];
  if (kit === undefined || semver.satisfies(sdkVersion, `^${kit}`, { includePrerelease: true })) return [];
  const message = `The file "${file}" was built with version ${kit} of the UI kit, which does not fit the SDK ${sdkVersion}: build it again.`;
  return [{ code: "kit-version", file, line: 1, message }];
}

/** A warning only, since code may put the name together. */
async function undefinedElements({ folder, description: { longbox } }: Found): Promise<Mistake[]> {
  const { client } = longbox;
  if (client?.js === undefined || !(await isFile(folder, client.js))) return [];
  const place = path.dirname(client.js);
  const names = await readdir(path.join(folder, place), { recursive: true });
  const parts = [...client.pages, ...client.slots, ...client.actions];
  const unseen = new Set(parts.flatMap(({ element }) => element ?? []));
  // One module at a time, and none of other packages: the folder of an author may hold them beside the client.
  for (const name of names.filter((each) => /\.m?js$/.test(each) && !/(?:^|\/)node_modules\//.test(each))) {
    if (unseen.size === 0) break;
    const text = await readFile(path.join(folder, place, name), "utf8");
    for (const element of unseen) if (text.includes(element)) unseen.delete(element);
  }
  return [...unseen].map((element) => ({
    code: "element-undefined",
    file: "package.json",
    message: `The field longbox.client of package.json names the element "${element}", which no module in "${place}" mentions.`,
  }));
}

const announcement = /\bcontext\.changed\(\s*["']([A-Za-z0-9-]+)["']/g;

/** A warning only, since the text may be a comment; the kernel refuses the call itself. */
async function undeclaredEvents({ folder, entry, description: { longbox } }: Found): Promise<Mistake[]> {
  if (!(await isFile(folder, entry))) return [];
  const text = await readFile(path.join(folder, entry), "utf8");
  const declared = new Set(longbox.events.map(({ domain }) => domain));
  return [...text.matchAll(announcement)]
    .filter(([, domain]) => !declared.has(domain!))
    .map((match) => ({
      code: "undeclared-event",
      file: entry,
      line: text.slice(0, match.index).split("\n").length,
      message: `The file "${entry}" announces "${match[1]}", which the field longbox.events of package.json does not declare.`,
    }));
}

async function papers({ folder, description }: Found): Promise<Mistake[]> {
  const names = (await readdir(folder)).map((name) => name.toLowerCase());
  const mistakes: Mistake[] = [];
  if (typeof description["license"] !== "string" || description["license"].trim() === "")
    mistakes.push({
      code: "no-licence",
      file: "package.json",
      message: "The field license of package.json is missing.",
    });
  if (!names.some((name) => name.startsWith("readme")))
    mistakes.push({ code: "no-readme", file: "README.md", message: "The package has no README.md." });
  if (!description["repository"])
    mistakes.push({
      code: "no-repository",
      file: "package.json",
      message: "The field repository of package.json is missing: users cannot find the source.",
    });
  return mistakes;
}

async function isFolder(folder: string, file: string): Promise<boolean> {
  return (await unlessMissing(stat(path.join(folder, file))))?.isDirectory() ?? false;
}

async function isFile(folder: string, file: string): Promise<boolean> {
  return (await unlessMissing(stat(path.join(folder, file))))?.isFile() ?? false;
}
