import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { clientMessages } from "@longbox/sdk/client-build";
import { rich, t } from "@longbox/sdk/ui";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compileMessage, placeholdersOf } from "../src/messages/compile.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longbox-messages-"));
  await put("package.json", { name: "@example/shelves" });
  await put("client/messages/en.json", {
    "page.empty": "No shelf yet",
    "page.found": "{count, plural, one {# shelf} other {# shelves}} in {room}",
  });
  await put("client/messages/de.json", { "page.empty": "Noch kein Regal" });
});
afterAll(() => rm(folder, { recursive: true }));

async function put(name: string, content: unknown): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), JSON.stringify(content));
}

const said = (message: string, values?: Record<string, unknown>) => t(["example", compileMessage(message)], values);

it("fills in arguments, and chooses plurals by their number", () => {
  const message = "{name}: {count, plural, =0 {nothing} one {# shelf} other {# shelves}}";
  expect([0, 1, 1200].map((count) => said(message, { name: "Hall", count }))).toEqual([
    "Hall: nothing",
    "Hall: 1 shelf",
    "Hall: 1,200 shelves",
  ]);
  expect(said("{place, selectordinal, one {#st} two {#nd} other {#th}}", { place: 2 })).toBe("2nd");
  expect(said("{state, select, yes {on} other {off}} in the server's room", { state: "no" })).toBe(
    "off in the server's room",
  );
});

it("hands what stands in a tag to a function, for templates", () => {
  const parts = rich(["example", compileMessage("See <link>{name}</link>.")], {
    name: "Hall",
    link: (inside: unknown) => ({ inside }),
  });
  expect(parts).toEqual(["See ", { inside: ["Hall"] }, "."]);
});

it("names the placeholders of a message, also within plurals and tags", () => {
  expect(placeholdersOf("{b, plural, one {<i>{c}</i>} other {#}} {a}")).toEqual(["a", "b", "c", "i"]);
});

it("refuses what the kit does not format", () => {
  for (const message of ["{at, date}", "{n, plural, offset:1 one {#} other {#}}", "{open"])
    expect(() => compileMessage(message)).toThrow();
});

it("puts the English message in the place of its key, and fails where there is none", () => {
  const { transform } = clientMessages();
  const page = join(folder, "client/src/page.ts");
  const line = 'import { t } from "@longbox/sdk/ui";\n';
  expect(transform(`${line}t("page.empty");`, page)?.code).toMatch(/t\(\["[\w-]{6}","No shelf yet"\]\);$/);
  expect(transform(`${line}t("page.found", { count, room });`, page)?.code).toContain('"plural"');
  expect(() => transform(`${line}t("page.missing");`, page)).toThrow('no message "page.missing"');
  expect(transform('t("page.empty");', page)).toBeUndefined();
});

it("makes one module of each other language", () => {
  const plugin = clientMessages();
  plugin.configResolved({ root: join(folder, "client") });
  expect(plugin.load("/x/sdk/dist/ui/language/tables.js")).toContain('"de": () => import("longbox-messages/de.js")');
  const german = plugin.load(plugin.resolveId("longbox-messages/de.js") ?? "");
  expect(german).toContain("Noch kein Regal");
  expect(german).toContain("Abbrechen");
});
