import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileMessage, messageId, type CompiledMessage } from "./compile.js";

/** The messages of one package in one language by their keys, as the file has them. */
export type Messages = Readonly<Record<string, string>>;

/** A package with messages for the browser, in `client/messages/<language>.json`. */
export interface MessagePackage {
  readonly name: string;
  readonly folder: string;
}

const sdkFolder = fileURLToPath(new URL("../..", import.meta.url));

/** The package that a file belongs to: the closest folder above it with a package.json. */
export function packageAround(path: string): MessagePackage | undefined {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const name = nameOf(folder);
    if (name !== undefined) return { name, folder };
  }
  return undefined;
}

/** A package with those whose code its client may hold: the SDK with its kit, and the packages that it depends on. */
export function packagesWithin(own: MessagePackage): MessagePackage[] {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(
    readFileSync(join(own.folder, "package.json"), "utf8"),
  ) as { dependencies?: object; devDependencies?: object };
  const required = createRequire(join(own.folder, "package.json"));
  const others = Object.keys({ ...dependencies, ...devDependencies }).flatMap((name) => installed(required, name));
  const sdk = { name: "@longbox/sdk", folder: sdkFolder };
  const all = [own, sdk, ...others].filter(({ folder }) => existsSync(join(folder, "client", "messages")));
  return [...new Map(all.map((found) => [found.name, found])).values()];
}

function installed(required: NodeJS.Require, name: string): MessagePackage[] {
  try {
    return [{ name, folder: dirname(required.resolve(`${name}/package.json`)) }];
  } catch {
    // A package that does not export its package.json has no messages for Longbox.
    return [];
  }
}

function nameOf(folder: string): string | undefined {
  const path = join(folder, "package.json");
  if (!existsSync(path)) return undefined;
  return (JSON.parse(readFileSync(path, "utf8")) as { name?: string }).name;
}

export function messagesFile({ folder }: MessagePackage, language: string): string {
  return join(folder, "client", "messages", `${language}.json`);
}

/** Empty when the package has no file for the language. */
export function readMessages(from: MessagePackage, language: string): Messages {
  const path = messagesFile(from, language);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Messages) : {};
}

/** The languages other than English for which any of the packages has messages. */
export function languagesOf(packages: readonly MessagePackage[]): string[] {
  const names = packages.flatMap(({ folder }) => readdirSync(join(folder, "client", "messages")));
  const languages = names.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length));
  return [...new Set(languages)].filter((language) => language !== "en").sort();
}

/** Everything that the packages say in a language, by the ids that built modules use. */
export function messageTable(packages: readonly MessagePackage[], language: string): Record<string, CompiledMessage> {
  return Object.fromEntries(
    packages.flatMap((from) =>
      Object.entries(readMessages(from, language)).map(([key, text]) => [
        messageId(from.name, key),
        compileMessage(text),
      ]),
    ),
  );
}
