import type { Check } from "./check.js";
import { lineOf, readSources } from "./sources.js";

const based = String.raw`(?!\s*(?:(?:this\.)?(?:longbox\.)?addressOf\(|URL\.createObjectURL\())`;
const rule = (text: string) => new RegExp(text, "g");

/** Where a browser is given an address without a template of the kit, and where it shows one. */
const doors: readonly RegExp[] = [
  rule(String.raw`(?<![.#\w])(?:fetch|new EventSource|new SharedWorker|new Request)\(${based}`),
  rule(String.raw`\b(?:sendBeacon|serviceWorker\.register|location\.(?:assign|replace)|window\.open)\(${based}`),
  rule(String.raw`\bimport\(\s*/\* @vite-ignore \*/${based}`),
  rule(String.raw`\.(?:src|srcset|poster|href) =(?!=)${based}`),
  /\bsetAttribute\("(?:src|srcset|poster|href)"/g,
  // Properties and other templates than the kit's get their values as they are.
  /\s\.(?:src|srcset|poster|href)=\$\{/g,
  /from "(?:lit-html[^"]*|lit\/(?:html|static-html)\.js)"/g,
  /\burl\(["']?\//g,
  // These begin with the base path, which paths of Longbox do not.
  /(?<!replaceState\(history\.state, "", )\b(?:location|link|HTMLAnchorElement\))\.pathname\b/g,
  /\blocation\.origin(?: \+(?! (?:this\.longbox\.)?addressOf\(| basePath)|\}\/)/g,
];

/** Files whose addresses are whole already, or that make addresses of paths, each with its reason. */
const exceptions: Readonly<Record<string, string>> = {
  "plugins/book-reader/client/src/engine/rendering/inert.ts": "what is in a book",
  "plugins/book-reader/client/src/engine/rendering/render-section.ts": "what is in a book",
  "plugins/reader/client/src/panels/panel-worker.ts": "a worker without a document: it is given whole addresses",
  "plugins/sign-in-oidc/client/src/index.ts": "the address of another server",
  "plugins/web/client/public/service-worker.js": "is given requests, with their addresses",
  "plugins/web/client/src/main.ts": "sends those on who did not come below the base path",
  "plugins/web/client/src/shell/routing/router.ts": "turns addresses into paths, and paths into addresses",
  "sdk/src/ui/addresses/addressed-html.ts": "turns paths of templates into addresses",
  "sdk/src/ui/covers/cover.ts": "gives an image its own address again",
  "sdk/src/ui/covers/leaving.ts": "gives an image its own address again",
  "sdk/src/ui/resource.ts": "its fetch is that of `longbox`",
};

/**
 * Longbox may be below a path of its host, so paths become addresses in few places: the templates of the kit and its
 * `addressOf`. What goes around them works at the root only.
 */
export const clientAddressesCheck: Check = {
  name: "addresses in clients",
  async find(root) {
    const sources = await readSources(root, ["plugins", "examples", "sdk/src"], /\.[jt]s$/);
    return sources
      .filter(({ path }) => /^(?:(?:plugins|examples)\/[^/]+\/client|sdk\/src\/ui)\//.test(path))
      .filter(({ path }) => exceptions[path] === undefined)
      .flatMap(({ path, text }) => {
        const code = text.replaceAll(/^[ \t]*(?:\/\/|\*|\/\*\*).*$/gm, "");
        return doors
          .flatMap((door) => [...code.matchAll(door)])
          .sort((a, b) => a.index - b.index)
          .map(
            ({ index, 0: found }) => `${path}:${lineOf(code, index)} takes "${found.trim()}" as it is: use addressOf.`,
          );
      });
  },
};
