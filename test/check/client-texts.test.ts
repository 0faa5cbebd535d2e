// The rule that texts of clients are messages, on planted clients.
import { expect, it } from "vitest";
import { clientTextsCheck } from "../src/check/texts/client-texts.js";
import { plant } from "./planting.ts";

const client = "plugins/reader/client/src/page.ts";
const found = async (code: string, path = client) => {
  await using planted = await plant({ [path]: code });
  return await clientTextsCheck.find(planted.path);
};

it.each([
  ["text of a template", "html`<p class=${look}>Nothing yet ${icon} here</p>`", ["Nothing yet", "here"]],
  ["a value that is shown", "html`<p>${isOpen ? `Page ${page}` : 'open'}</p>`", ["Page {}", "open"]],
  ["an attribute that is read aloud", 'html`<a aria-label="Close ${name}" title=${"Shut"}></a>`', ['"Close', "Shut"]],
  ["a property of an element", 'html`<lb-field .label=${"Name"}></lb-field>`', ["Name"]],
  ["a message", 'longbox.notify("The list is saved.", { level: "success" });', ["The list is saved."]],
  ["a question", 'confirm({ heading: `Remove ${name}?`, action: "Remove" });', ["Remove {}?", "Remove"]],
  ["plurals that are none elsewhere", 'count(files.length, "file")', ["file"]],
  ["what happened to a value", "attempt(() => remove(name), `${name} was removed.`);", ["{} was removed."]],
  ["items of a list that is shown", 'html`${[size, isOld && "old"].filter(Boolean).join(" · ")}`', ["old"]],
  ["words of states", 'const says = { done: "Done", failed: "Needs attention" };', ["Done", "Needs attention"]],
])("finds %s", async (_, code, texts) => {
  expect(await found(code)).toEqual(texts.map((text) => `${client}:1 shows "${text}": make it a message.`));
});

it("finds them in the kit and in examples, with their lines", async () => {
  expect(await found("\n\nhtml`\n<b>Cancel</b>`", "sdk/src/ui/dialog.ts")).toEqual([
    'sdk/src/ui/dialog.ts:4 shows "Cancel": make it a message.',
  ]);
  expect(await found("html`<b>Cancel</b>`", "examples/hello/client/src/page.ts")).toHaveLength(1);
});

it.each([
  ["messages", 'html`<p aria-label=${t("page.empty")}>${rich("page.Found it", { count })}</p>`'],
  [
    "what is for programs",
    'throw new Error("No book is open."); console.warn("It is late."); import("./Some page.js");',
  ],
  [
    "classes, code and keys",
    'html`<p class="two words">${class}<kbd>Enter</kbd><code>Some code</code></p>`'.replace("${class}", ""),
  ],
  [
    "comparisons",
    'if (event.key === "Delete" || ["Shift", "Dead"].includes(key)) switch (key) { case "Home": run(); }',
  ],
  ["addresses and names of products", 'html`<a href="/Some/page">Longbox</a>${ask(`/api/Two words ${id}`)}`'],
  ["types", 'type State = "Read aloud"; const state: "Read aloud" | undefined = undefined;'],
])("leaves %s alone", async (_, code) => {
  expect(await found(code)).toEqual([]);
});

it("leaves the server's code, tests and the book of samples alone", async () => {
  const code = "html`<b>Cancel</b>`";
  for (const path of ["plugins/reader/src/a.ts", "plugins/reader/client/src/a.test.ts", "examples/ui/client/src/a.ts"])
    expect(await found(code, path)).toEqual([]);
});
