import { manifestSchema, pluginPackageSchema, type ManifestInput } from "@longbox/sdk/manifest";
import { describe, expect, it } from "vitest";

const shelves: ManifestInput = { id: "shelves", title: "Shelves", description: "Browse by author", sdk: "^1.0.0" };

// What is wrong with a manifest: the path of each field at fault.
function faults(changes: object): string[] {
  const parsed = manifestSchema.safeParse({ ...shelves, ...changes });
  return parsed.success ? [] : parsed.error.issues.map((issue) => issue.path.join("."));
}

describe("a manifest", () => {
  it("needs four fields and gets the rest by default", () => {
    expect(manifestSchema.parse(shelves)).toEqual({
      ...shelves,
      requires: {},
      optional: {},
      provides: {},
      opens: {},
      contributes: {},
      permissions: [],
      events: [],
      workers: {},
      basePaths: [],
      sitePages: [],
      siteSlots: [],
      publicRoutes: [],
    });
  });

  it.each([
    ["an id with capitals", { id: "Shelves" }, "id"],
    ["an id that is a path", { id: "../shelves" }, "id"],
    ["an id that is too long", { id: "a".repeat(65) }, "id"],
    ["a provided contract with a range instead of a version", { provides: { shelves: "^1.0.0" } }, "provides.shelves"],
    [
      "a permission without a dot",
      { permissions: [{ key: "tidy", label: "Tidy", description: "", tier: "viewer" }] },
      "permissions.0.key",
    ],
    [
      "a permission of an unknown tier",
      { permissions: [{ key: "shelves.tidy", label: "Tidy", description: "", tier: "owner" }] },
      "permissions.0.tier",
    ],
    ["a client outside the package", { client: { js: "../outside.js" } }, "client.js"],
    ["a client at an absolute path", { client: { js: "/etc/passwd" } }, "client.js"],
    ["a worker whose path climbs", { workers: { scan: "dist/../../x.js" } }, "workers.scan"],
    [
      "an element that is no custom element",
      { client: { js: "a.js", pages: [{ path: "/a", element: "div", title: "A" }] } },
      "client.pages.0.element",
    ],
    [
      "a page without a leading slash",
      { client: { js: "a.js", pages: [{ path: "a", element: "a-b", title: "A" }] } },
      "client.pages.0.path",
    ],
  ])("is refused with %s, and the field is named", (_, changes, field) => {
    expect(faults(changes)).toEqual([field]);
  });

  it("is refused with an unknown field, such as a misspelt one", () => {
    const parsed = manifestSchema.safeParse({ ...shelves, requries: {} });
    expect(parsed.error?.issues[0]?.message).toMatch(/requries/);
  });

  it("stands in a package.json, whose other fields are left alone", () => {
    const parsed = pluginPackageSchema.parse({
      name: "@longbox/shelves",
      version: "1.0.1-local.2",
      author: "Ada",
      longbox: shelves,
    });
    expect(parsed).toMatchObject({ name: "@longbox/shelves", version: "1.0.1-local.2", keywords: [], author: "Ada" });
    expect(
      pluginPackageSchema.safeParse({ name: "@longbox/shelves", version: "newest", longbox: shelves }).success,
    ).toBe(false);
  });
});
