import { describe, expect, it } from "vitest";
import { matchPage, matchPath, type PageDefinition } from "../client/src/shell/routing/page-table.js";

const page = (path: string): PageDefinition => ({
  path,
  element: "a-page",
  title: path,
  chrome: true,
  load: () => Promise.resolve(),
});

describe("the table of pages", () => {
  it.each([
    ["/", "/", {}],
    ["/series/:id", "/series/12", { id: "12" }],
    ["/issue/:cvIssueId", "/issue/-7", { cvIssueId: "-7" }],
    ["/shelf/:name", "/shelf/a%2Fb", { name: "a/b" }],
  ])("finds %s for %s", (pattern, path, params) => {
    expect(matchPath(pattern, path)).toEqual(params);
  });

  it.each([
    ["/series/:id", "/series"],
    ["/series/:id", "/series/1/issues"],
    ["/series/:id", "/Series/1"],
    ["/shelf/:name", "/shelf/%E0%A4%A"],
  ])("does not find %s for %s", (pattern, path) => {
    expect(matchPath(pattern, path)).toBeUndefined();
  });

  it("lets the shell's own page win over a plugin's of the same path", () => {
    const own = page("/settings");
    expect(matchPage(new URL("http://box/settings?group=server"), [own, page("/settings")]).page).toBe(own);
  });

  it("does not let a plugin's page with parameters hide another's", () => {
    const [any, one] = ["/books/:id", "/books/review"].map((path) => ({ ...page(path), plugin: path }));
    const own = page("/series/:id");
    const find = (path: string) =>
      matchPage(new URL(path, "http://box"), [own, any!, one!, { ...page("/series/5"), plugin: "p" }]);
    expect(find("/books/review").page).toBe(one);
    expect(find("/books/7")).toMatchObject({ page: any, params: { id: "7" } });
    expect(find("/series/5").page).toBe(own);
  });

  it("answers with no page for an unknown address", () => {
    expect(matchPage(new URL("http://box/nowhere"), [page("/")])).toMatchObject({ page: undefined, params: {} });
  });
});
