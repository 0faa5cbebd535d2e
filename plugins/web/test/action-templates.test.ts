import type { ClientPart } from "@longbox/kernel/api";
import { describe, expect, it } from "vitest";
import { fillBody, fillPath, fillText, fits } from "../client/src/shell/action-templates.js";

type Action = ClientPart["actions"][number];
const action = (more: Partial<Action>): Action => ({
  id: "want",
  subjects: ["issue"],
  selection: "one",
  label: "Want",
  order: 100,
  holding: "both",
  when: {},
  primary: false,
  danger: false,
  ...more,
});
const issues = (...items: ReadonlyArray<Record<string, unknown>>) => ({ kind: "issue", items });

describe("an action", () => {
  it.each([
    ["one subject of its kind", {}, issues({ id: 1 }), true],
    ["another kind", { subjects: ["series"] }, issues({ id: 1 }), false],
    ["two where it takes one", {}, issues({ id: 1 }, { id: 2 }), false],
    ["one where it takes many", { selection: "many" as const }, issues({ id: 1 }), false],
    ["two where it takes any", { selection: "any" as const }, issues({ id: 1 }, { id: 2 }), true],
    ["what is owned where it is for that", { holding: "owned" as const }, issues({ owned: true }), true],
    ["a series of which something is owned", { holding: "owned" as const }, issues({ owned: 3 }), true],
    ["what is not owned where it is for what is", { holding: "owned" as const }, issues({ owned: false }), false],
    ["what is owned where it is for what is wanted", { holding: "wanted" as const }, issues({ owned: true }), false],
    ["a field that has another value", { when: { reading: "read" } }, issues({ reading: "unread" }), false],
    ["one of several texts", { when: { type: ["comic", "manga"] } }, issues({ type: "manga" }), true],
    ["none of several texts", { when: { type: ["comic", "manga"] } }, issues({ type: "ebook" }), false],
    ["a number that is large enough", { when: { pages: { min: 1 } } }, issues({ pages: 3 }), true],
    ["a number that is not", { when: { pages: { min: 1 } } }, issues({ pages: 0 }), false],
    ["a field that is not there, for false", { when: { wanted: false } }, issues({ id: 1 }), true],
    [
      "many of which one does not fit",
      { selection: "any" as const, when: { wanted: true } },
      issues({ wanted: true }, { wanted: false }),
      false,
    ],
  ])("is judged for %s", (_, more, subjects, expected) => {
    expect(fits(action(more), subjects)).toBe(expected);
  });
});

it("names fields of the subject in addresses, escaped, and in texts with the number of subjects", () => {
  expect(fillPath("/api/shelves/{id}/{name}", { id: 3, name: "a/b" })).toBe("/api/shelves/3/a%2Fb");
  expect(fillText("{count} of {title}", issues({ title: "Moth" }, { title: "Beacon" }))).toBe("2 of Moth");
});

it("fills a body with fields of one, with fields of all, and with what it is", () => {
  const items = [
    { id: 1, n: 5 },
    { id: 2, n: 6 },
  ];
  const body = { ids: "{id[]}", first: "{n}", read: true, deep: [{ id: "{id}" }], text: "of {id}" };
  expect(fillBody(body, items)).toEqual({ ids: [1, 2], first: 5, read: true, deep: [{ id: 1 }], text: "of {id}" });
});
