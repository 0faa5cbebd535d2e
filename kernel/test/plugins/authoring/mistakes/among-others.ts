// Mistakes that only show beside other plugins.
import type { MistakeCase } from "./case.js";
import { client, part } from "./parts.js";

const lantern = (fields: string) => ({
  manifest: { contributes: { lanterns: "^1.0.0" } },
  activate: `context.contribute(extensionPoint("lanterns", "1.0.0"), { ${fields} });`,
});

export const amongOthers: readonly MistakeCase[] = [
  {
    number: 1,
    title: "adds to a point what its owner does not accept",
    plugin: lantern(`id: "lamps", colour: "blue"`),
    code: "contribution-refused",
    names:
      /to "lanterns" with the id "lamps" \(.*index\.js, line \d+\).*colour is "blue" and must be one of red, green; light must be a function/,
    inSources: {},
  },
  {
    number: 1,
    title: "adds to a point what another plugin has added already",
    plugin: lantern(`id: "porch", colour: "red", light: async () => {}`),
    code: "contribution-refused",
    names:
      /to "lanterns" with the id "porch" \(.*index\.js, line \d+\).*id is "porch", which the plugin "shell" has added already/,
    inSources: {},
  },
  {
    number: 1,
    title: "adds to a point the same twice",
    plugin: {
      ...lantern(""),
      activate: `for (const colour of ["red", "green"]) context.contribute(extensionPoint("lanterns", "1.0.0"), { id: "lamps", colour, light: async () => {} });`,
    },
    code: "contribution-refused",
    names: 'id is "lamps", which the plugin "lamps" has added already',
  },
  {
    number: 1,
    title: "adds to a point an object whose fields cannot be read",
    plugin: lantern(`get id() { throw new Error("dark"); }`),
    code: "contribution-refused",
    names: /to "lanterns".*dark/,
  },
  {
    number: 1,
    title: "adds to a point for another version than its owner opens",
    plugin: {
      manifest: { contributes: { lanterns: "^2.0.0" } },
      activate: `context.contribute(extensionPoint("lanterns", "2.0.0"), { glow: true });`,
    },
    code: "contribution-unfit",
    names: /"lamps" adds to "lanterns" \^2\.0\.0, and "shell" opens 1\.0\.0/,
    warns: true,
    inSources: {},
  },
  {
    number: 1,
    title: "adds to a point without end",
    plugin: {
      ...lantern(""),
      activate: `for (let at = 0; at < 5_000; at++) context.contribute(extensionPoint("lanterns", "1.0.0"), { id: "lamp" + at });`,
    },
    code: "kernel/too-many-contributions",
    names: "more than 2000 contributions",
  },
  {
    number: 1,
    title: "opens a point with rules that are checked by a promise",
    plugin: {
      head: `import { z } from "zod";`,
      manifest: { opens: { lamps: "1.0.0" } },
      activate: `context.open(extensionPoint("lamps", "1.0.0"), { schema: z.object({ id: z.string().refine(async () => true) }) });`,
    },
    code: "kernel/bad-plugin-module",
    names: /rules for "lamps" whose schema has code that returns a promise/,
  },
  {
    number: 1,
    title: "opens a point with rules that are no schema",
    plugin: {
      manifest: { opens: { lamps: "1.0.0" } },
      activate: `context.open(extensionPoint("lamps", "1.0.0"), { schema: { id: "text" } });`,
    },
    code: "kernel/bad-plugin-module",
    names: /rules for "lamps" whose schema is an object/,
  },
  {
    number: 32,
    title: "declares a permission in another's namespace",
    plugin: { manifest: { permissions: [{ key: "shell.paint", label: "l", description: "", tier: "admin" }] } },
    code: "permission-namespace",
    names: '"shell.paint"',
  },
  {
    number: 34,
    title: "has an id that is reserved",
    id: "kernel",
    plugin: {},
    code: "kernel/bad-manifest",
    names: "longbox.id",
  },
  {
    number: 34,
    title: "has another package's id",
    id: "shell",
    plugin: {},
    code: "kernel/id-taken",
    names: 'id "shell"',
  },
  {
    number: 35,
    title: "names an element without a hyphen",
    plugin: { manifest: client({ slots: [{ slot: "home", element: "lamp" }] }), files: part },
    code: "kernel/bad-manifest",
    names: "longbox.client.slots.0.element",
  },
  {
    number: 35,
    title: "names an element without the plugin's prefix",
    plugin: { manifest: client({ slots: [{ slot: "home", element: "other-lamp" }] }), files: part },
    code: "element-prefix",
    names: '"other-lamp"',
  },
  {
    number: 36,
    title: "has a page at a path of the shell",
    id: "lamps",
    plugin: { manifest: client({ pages: [{ path: "/library", element: "lamps-page", title: "L" }] }), files: part },
    code: "kernel/page-taken",
    names: /\/library.*longbox\.client\.pages/,
  },
  {
    number: 37,
    title: "uses a slot that no page has",
    id: "lamps",
    plugin: { manifest: client({ slots: [{ slot: "cellar", element: "lamps-part" }] }), files: part },
    code: "kernel/no-such-slot",
    names: /"cellar".*longbox\.client\.slots/,
  },
];
