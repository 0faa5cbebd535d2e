import { describe, expect, it } from "vitest";
import { addressWith, facetWith, queryOf } from "../client/src/shell/library-choices.js";

const address = new URL("http://box/library?search=night%20bell&sort=added&filter=");

describe("the address of the library", () => {
  it("becomes a query of the API with the parameters that are there and asked for", () => {
    expect(queryOf(address, ["search", "library", "filter"])).toBe("search=night+bell");
  });

  it("takes other parameters, and loses those that are emptied", () => {
    expect(addressWith(address, { sort: "-year", search: "", filter: "" })).toBe("/library?sort=-year");
  });

  it("names facets of plugins, to which what was read is added; a broken one is left to the server", () => {
    const narrowed = new URL(`http://box/library?facet=${encodeURIComponent('{"shelves":"genre=Crime"}')}`);
    expect(facetWith(address, undefined)).toBeUndefined();
    expect(facetWith(address, "read")).toBe('{"reading":"read"}');
    expect(facetWith(narrowed, undefined)).toBe('{"shelves":"genre=Crime"}');
    expect(facetWith(narrowed, "read")).toBe('{"shelves":"genre=Crime","reading":"read"}');
    expect(facetWith(new URL("http://box/library?facet=%7B"), "read")).toBe("{");
  });

  it("is not changed by making another of it", () => {
    addressWith(address, { search: "moth" });
    expect(address.searchParams.get("search")).toBe("night bell");
  });
});
