import { posix } from "node:path";
import type { Check } from "./check.js";
import { importsOf, type Import } from "./imports.js";
import { readSources } from "./sources.js";

interface Arrow {
  /** Modules that the rule is about. */
  readonly of: RegExp;
  readonly forbids: (specifier: string, own: string, isType: boolean) => boolean;
  readonly because: string;
}

const ours = (specifier: string) => specifier.startsWith("@longbox/");
const isSdk = (specifier: string) => specifier === "@longbox/sdk" || specifier.startsWith("@longbox/sdk/");
const isContract = (specifier: string) => /^@longbox\/[^/]+\/contract$/.test(specifier);
const isApi = (specifier: string) => /^@longbox\/[^/]+\/api$/.test(specifier);
// What a plugin shares with the clients of others is code for browsers, and is bundled into each.
const isClientPart = (specifier: string) => /^@longbox\/[^/]+\/client$/.test(specifier);

const forRegistry = new Set(["@longbox/plugin-cli/packing", "@longbox/kernel/supervisor"]);

/** Who may import whom; what the architecture draws. */
const arrows: readonly Arrow[] = [
  { of: /^sdk\/src\//, forbids: ours, because: "the SDK imports nothing of ours" },
  {
    of: /^kernel\/src\//,
    forbids: (specifier, own) => ours(specifier) && !isSdk(specifier) && !specifier.startsWith(own),
    because: "the kernel imports the SDK only, never a plugin",
  },
  {
    of: /^registry\/src\//,
    forbids: (specifier) => ours(specifier) && !isSdk(specifier) && !forRegistry.has(specifier),
    because: "the registry imports the SDK, how plugins are packed, and what keeps a kernel running, only",
  },
  {
    of: /^(plugins|examples)\/[^/]+\/src\//,
    forbids: (specifier, own) =>
      ours(specifier) && !isSdk(specifier) && !isContract(specifier) && !isApi(specifier) && !specifier.startsWith(own),
    because: "a plugin imports the SDK and other plugins' contracts only",
  },
  {
    of: /^(plugins|examples)\/[^/]+\/client\//,
    forbids: (specifier) =>
      ours(specifier) && !isSdk(specifier) && !isContract(specifier) && !isApi(specifier) && !isClientPart(specifier),
    because: "a client imports the SDK's kit, contracts, types of the API, and what plugins share with clients",
  },
  {
    of: /^/,
    forbids: (specifier, _, isType) => isApi(specifier) && !isType,
    because: "the entry /api holds types only; use `import type`",
  },
  { of: /^(plugins|examples)\/[^/]+\/src\//, forbids: isSdkTesting, because: "the test host is for tests" },
];

/** Packages that are imported in one place, so that they can be replaced there. */
const doors: readonly { readonly packages: readonly string[]; readonly place: RegExp }[] = [
  { packages: ["tsyringe", "reflect-metadata"], place: /^kernel\/src\/injection\.ts$/ },
  { packages: ["polka", "sirv", "send"], place: /^kernel\/src\/http\// },
  { packages: ["lowdb", "node:sqlite"], place: /^kernel\/src\/storage\// },
  { packages: ["sql.js"], place: /^(kernel\/src\/storage|plugins\/shelves\/src\/names)\// },
  { packages: ["undici"], place: /^kernel\/src\/outgoing\// },
  { packages: ["pino"], place: /^kernel\/src\/logging\// },
  { packages: ["verdaccio"], place: /^registry\/src\/serving\// },
  { packages: ["rolldown"], place: /^registry\/plugin-cli\/src\/packing\// },
];

function isSdkTesting(specifier: string): boolean {
  return specifier === "@longbox/sdk/testing";
}

/** The import arrows between the folders, the one door of each engine, and no way round through relative paths. */
export const arrowsCheck: Check = {
  name: "import arrows",
  async find(root) {
    const sources = await readSources(
      root,
      ["sdk/src", "kernel/src", "registry/src", "registry/plugin-cli/src", "plugins", "examples"],
      /\.(ts|tsx|js|mjs)$/,
    );
    const product = sources.filter(({ path }) => !/^(plugins|examples)\/[^/]+\/test\//.test(path));
    return product
      .flatMap(importsOf)
      .flatMap((found) => [...brokenArrows(found), ...brokenDoors(found), ...leavingHome(found)]);
  },
};

function brokenArrows(found: Import): string[] {
  const [top, folder] = found.from.split("/");
  const own = `@longbox/${top === "plugins" || top === "examples" ? folder : top}/`;
  return arrows
    .filter(({ of, forbids }) => of.test(found.from) && forbids(found.specifier, own, found.isType))
    .map(({ because }) => complaint(found, because));
}

function brokenDoors(found: Import): string[] {
  const door = doors.find(({ packages }) =>
    packages.some((name) => found.specifier === name || found.specifier.startsWith(`${name}/`)),
  );
  return door && !door.place.test(found.from) ? [complaint(found, `it has one door, ${door.place.source}`)] : [];
}

function leavingHome(found: Import): string[] {
  if (!found.specifier.startsWith(".")) return [];
  const home = /^(?:plugins|examples)\/[^/]+\/|^[^/]+\//.exec(found.from)?.[0] ?? "";
  const target = posix.normalize(posix.join(posix.dirname(found.from), found.specifier));
  return target.startsWith(home) ? [] : [complaint(found, "a relative path may not leave its package")];
}

function complaint({ from, line, specifier }: Import, because: string): string {
  return `${from}:${line} imports ${specifier}: ${because}.`;
}
