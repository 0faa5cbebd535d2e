// The rule that paths become addresses below the base path, on planted clients.
import { expect, it } from "vitest";
import { clientAddressesCheck } from "../src/check/client-addresses.js";
import { plant } from "./planting.ts";

const client = "plugins/reader/client/src/page.ts";
const found = async (code: string, path = client) => {
  await using planted = await plant({ [path]: code });
  return await clientAddressesCheck.find(planted.path);
};

it.each([
  ["a request", "await fetch(path, { signal });", "fetch("],
  ["a stream", 'const source = new EventSource("/api/events");', "new EventSource("],
  ["a service worker", "await navigator.serviceWorker.register(path);", "serviceWorker.register("],
  ["a page that is loaded again", 'location.assign("/");', "location.assign("],
  ["a module", "await import(/* @vite-ignore */ part.js);", "import(/* @vite-ignore */"],
  ["a new image", "new Image().src = pageUrl(1);", ".src ="],
  ["an attribute that is set", 'link.setAttribute("href", path);', 'setAttribute("href"'],
  ["a property in a template", "html`<img .src=${path} />`", ".src=${"],
  ["a template that is not the kit's", 'import { html } from "lit/html.js";', 'from "lit/html.js"'],
  ["a picture of a style", "css`a { background: url(/favicon.svg); }`", "url(/"],
  ["a path that the browser shows", 'if (location.pathname === "/stats") return;', "location.pathname"],
  ["an address that is shown", "html`${location.origin + made.path}`", "location.origin +"],
])("finds %s", async (_, code, place) => {
  expect(await found(code)).toEqual([`${client}:1 takes "${place}" as it is: use addressOf.`]);
});

it("finds them in the kit and in examples, with their lines", async () => {
  expect(await found('// fetch("/a")\n\nfetch("/b");', "sdk/src/ui/dialog.ts")).toHaveLength(1);
  expect(await found("\n\nfetch(path);", "examples/hello/client/hello.js")).toEqual([
    'examples/hello/client/hello.js:3 takes "fetch(" as it is: use addressOf.',
  ]);
});

it("leaves alone what becomes an address, or is none", async () => {
  const code = [
    'await fetch(addressOf("/api/status"));',
    "image.src = addressOf(pageUrl(1));",
    "image.src = URL.createObjectURL(blob);",
    "if (link.href === other) return this.#fetch(page);",
    'html`<a href="/series/${id}"><img src=${cover} /></a>`',
    'history.replaceState(history.state, "", location.pathname);',
    "shown = location.origin + addressOf(path);",
  ];
  expect(await found(code.join("\n"))).toEqual([]);
  expect(await found("await fetch(path);", "plugins/reader/src/asking.ts")).toEqual([]);
});
