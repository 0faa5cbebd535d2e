import type { PluginRow } from "@longbox/kernel/api";
import { expect, it } from "vitest";
import { reasonOf, stoppingWith } from "../client/src/pages/plugins/stopping.js";

const row = (name: string, more: Partial<PluginRow> = {}): PluginRow => ({
  name,
  package: `@longbox/${name}`,
  version: "1.0.0",
  title: name[0]!.toUpperCase() + name.slice(1),
  description: "",
  keywords: [],
  enabled: true,
  state: "active",
  requires: {},
  optional: {},
  provides: {},
  permissions: [],
  routes: [],
  installedAt: "2026-11-01T00:00:00.000Z",
  faults: 0,
  bytes: 0,
  linked: false,
  isolation: { mode: "none", by: "default", fence: "none" },
  ...more,
});
const waiting = (requires: Record<string, string>, reason: string) =>
  row("reader", { state: "unsatisfied", requires, reason });

it("names the plugins that one waits for by their titles", () => {
  const reader = waiting({ "comics.pages": "^1.0.0" }, 'It needs "comics.pages" ^1.0.0, which no plugin provides.');
  const comics = row("comics", { enabled: false, state: "disabled", provides: { "comics.pages": "1.0.0" } });
  expect(reasonOf(reader, [reader, comics])).toBe("It starts by itself as soon as these run: Comics (switched off).");
});

it("says which plugin is not installed, without contracts and ranges", () => {
  const reader = waiting(
    { "comics.pages": "^1.0.0", "comics.covers": "^1.0.0", imaging: "^2.0.0", collection: "^1.0.0" },
    'It needs "comics.pages" ^1.0.0, which no plugin provides.',
  );
  const collection = row("collection", { enabled: false, state: "disabled", provides: { collection: "1.0.0" } });
  expect(reasonOf(reader, [reader, collection])).toBe(
    "It starts by itself as soon as these run: Collection (switched off). It needs plugins that are not installed: “comics” and “imaging”.",
  );
});

it("says which plugin has another version than is needed", () => {
  const reason = 'It needs "comics.pages" ^2.0.0, and "comics" provides 1.0.0.';
  const reader = waiting({ "comics.pages": "^2.0.0", collection: "^1.0.0" }, reason);
  const others = [
    row("comics", { provides: { "comics.pages": "1.0.0" } }),
    row("collection", { provides: { collection: "1.0.0" } }),
  ];
  expect(reasonOf(reader, [reader, ...others])).toBe("It does not fit the installed version of Comics. Upgrade both.");
});

it("lists what stops with a plugin, and what stops with that", () => {
  const plugins = [
    row("collection", { provides: { collection: "1.0.0" } }),
    row("comics", { requires: { collection: "^1.0.0" }, provides: { pages: "1.0.0" } }),
    row("reader", { requires: { pages: "^1.0.0" } }),
    row("web"),
  ];
  expect(stoppingWith(plugins[0]!, plugins).map(({ name }) => name)).toEqual(["comics", "reader"]);
});
