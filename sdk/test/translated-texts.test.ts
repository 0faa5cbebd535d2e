import { filledIn, translatedBy } from "@longbox/sdk";
import { expect, it } from "vitest";

const said = translatedBy([
  {
    "{text}; {text2}": "{text}; {text2}",
    "{field}: {text}": "{field}: {text}",
    "must be at most {count}": "höchstens {count}",
    "{text} (trial)": "{text} (Probelauf)",
    "Scan {library}": "{library} scannen",
    "Scan the libraries": "Bibliotheken scannen",
    "{count} copies are redundant": "{count} Kopien sind überflüssig",
    "{library}: {readCount} read, {count} gone": "{library}: {readCount} gelesen, {count} weg",
    Comics: "Bildergeschichten",
  },
  { Comics: "Hefte", Key: "Schlüssel" },
]);

it("says a text as a whole, by the first table that has it, before it looks for places in others", () => {
  expect(["Comics", "Key", "Scan the libraries"].map(said)).toEqual([
    "Bildergeschichten",
    "Schlüssel",
    "Bibliotheken scannen",
  ]);
});

it("fills names into the translation as they are, and translates only what stands in a place for text", () => {
  expect(said("Scan Comics")).toBe("Comics scannen");
  expect(said("Scan the libraries (trial)")).toBe("Bibliotheken scannen (Probelauf)");
  expect(said("Comics: 4 read, 1 gone")).toBe("Comics: 4 gelesen, 1 weg");
  expect(said("A: 1 read, 2 gone; B: 3 read, 4 gone")).toBe("A: 1 gelesen, 2 weg; B: 3 gelesen, 4 weg");
});

it("writes what stands in a place as it is asked to, and what is translated as it is", () => {
  const isolated = (value: string) => `<${value}>`;
  const told = translatedBy([{ "Scan {library}": "فحص {library}", "{text} (trial)": "{text} (تجربة)" }], isolated);
  expect(told("Scan /comics/ (trial)")).toBe("فحص </comics/> (تجربة)");
  expect(filledIn("فحص {library}", { library: "/comics/" }, isolated)).toBe("فحص </comics/>");
});

it("takes only figures for counts, and has no translation of other texts", () => {
  const others = ["many copies are redundant", " copies are redundant", "Scan ", "Unknown (trial)", "constructor", ""];
  expect(others.map(said)).toEqual(others.map(() => undefined));
});

it("takes one word for a field, and parts a list before what stands in it", () => {
  expect(said("name: Key; size.width: must be at most 9")).toBe("name: Schlüssel; size.width: höchstens 9");
  expect(said("A long name: Key")).toBeUndefined();
});

it("comes to an end with every table and text", () => {
  const itself = translatedBy([{ "{text}": "{text}!", "{text}{text2}": "{text2}{text}" }]);
  const forking = translatedBy([
    Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [`{text}-{text${at % 10}}`.padEnd(at + 20, "x"), "{text}"]),
    ),
    { "{text}-{text2}": "{text} {text2}" },
  ]);
  expect([itself("anything"), forking("a-".repeat(50_000)), said("Comics; ".repeat(50_000))]).toEqual([
    undefined,
    undefined,
    expect.stringMatching(/^Bildergeschichten; /),
  ]);
});

it("fills a message from the details of an error, and says nothing when one lacks", () => {
  expect(filledIn("Series {id} of {name}", { id: 4, name: "{id}" })).toBe("Series 4 of {id}");
  expect([filledIn("Series {id}", {}), filledIn("Series {id}", undefined), filledIn("All", null)]).toEqual([
    undefined,
    undefined,
    "All",
  ]);
});
