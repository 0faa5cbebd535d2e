import { compileMessage, messageId } from "./compile.js";
import {
  languagesOf,
  messagesFile,
  messageTable,
  packageAround,
  packagesWithin,
  readMessages,
  type MessagePackage,
} from "./message-files.js";

const tablesModule = /[/\\]sdk[/\\]dist[/\\]ui[/\\]language[/\\]tables\.js$/;
const tablePrefix = "longbox-messages/";
/** Tests and the server part of a package use no keys of messages. */
const clientCode = /[/\\]client[/\\].*\.[cm]?[jt]s$/;
const call = /(?<![.\w])(t|rich)\(\s*"([\w.-]+)"/g;

/**
 * A plugin of vite that compiles the messages of a client. Calls such as `t("shelves.empty")` get the English message
 * in their place, so that a page loads the English that it shows and nothing more; the other languages become one
 * module each, which the kit loads before anything is shown.
 */
export function clientMessages() {
  let packages: readonly MessagePackage[] = [];
  return {
    name: "longbox-client-messages",
    enforce: "pre" as const,
    configResolved({ root }: { readonly root: string }) {
      const own = packageAround(`${root}/index.html`);
      packages = own ? packagesWithin(own) : [];
    },
    resolveId: (id: string) => (id.startsWith(tablePrefix) ? `\0${id}` : undefined),
    load(id: string) {
      if (tablesModule.test(id)) return tablesOf(packages);
      if (!id.startsWith(`\0${tablePrefix}`)) return undefined;
      return `export default ${JSON.stringify(messageTable(packages, id.slice(tablePrefix.length + 1, -".js".length)))};`;
    },
    transform(code: string, id: string) {
      const path = id.split("?", 1)[0] ?? id;
      if (!clientCode.test(path) || !code.includes("@longbox/sdk/ui")) return undefined;
      const from = packageAround(path);
      return from ? { code: inlined(code, from), map: null } : undefined;
    },
  };
}

function tablesOf(packages: readonly MessagePackage[]): string {
  const entries = languagesOf(packages).map((language) => {
    const address = JSON.stringify(`${tablePrefix}${language}.js`);
    return `${JSON.stringify(language)}: () => import(${address})`;
  });
  return `export const tables = { ${entries.join(", ")} };`;
}

/**
 * The code with English messages in place of keys.
 * @throws {Error} When a key is not in the package's English messages.
 */
function inlined(code: string, from: MessagePackage): string {
  const english = readMessages(from, "en");
  return code.replaceAll(call, (_call, called: string, key: string) => {
    const source = english[key];
    if (source === undefined) throw new Error(`${messagesFile(from, "en")} has no message "${key}".`);
    return `${called}(${JSON.stringify([messageId(from.name, key), compileMessage(source)])}`;
  });
}
