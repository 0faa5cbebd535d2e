// Mistakes that only show beside other plugins.
import type { MistakeCase } from "./case.js";
import { client, part } from "./parts.js";

export const amongOthers: readonly MistakeCase[] = [
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
