// The messages of all clients in other languages: complete where they have to be, and with the arguments of the English
// ones.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRefusals } from "../../kernel/src/plugins/packages/refusals.js";
import { translatedBy } from "../../sdk/src/texts/translated-texts.js";
import { placeholdersOf } from "../../sdk/src/messages/compile.js";
import { root } from "./planting.ts";

const folders = globSync("{sdk,plugins/*,examples/*}/client/messages", { cwd: root }).toSorted();
function read(folder: string, language: string): Readonly<Record<string, string>> {
  const path = join(root, folder, `${language}.json`);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

it.each(folders)("%s says everything in German, and in Arabic unless it is an example", (folder) => {
  const keys = Object.keys(read(folder, "en")).toSorted();
  expect(keys).not.toEqual([]);
  expect(Object.keys(read(folder, "de")).toSorted()).toEqual(keys);
  if (!folder.startsWith("examples")) expect(Object.keys(read(folder, "ar")).toSorted()).toEqual(keys);
});

it.each(folders.flatMap((folder) => ["de", "ar"].map((language) => [folder, language] as const)))(
  "%s has the arguments and tags of the English messages in %s",
  (folder, language) => {
    const english = read(folder, "en");
    const others = Object.entries(read(folder, language)).map(([key, text]) => [key, placeholdersOf(text)]);
    const expected = others.map(([key]) => [key, placeholdersOf(english[String(key)] ?? "")]);
    expect(others).toEqual(expected);
  },
);

it.each(folders)("%s says whole phrases, none that begins or ends as a piece of another", (folder) => {
  const pieces = ["en", "de", "ar"].flatMap((language) =>
    Object.entries(read(folder, language)).filter(([, text]) => /^(?:\s|[,;.:·،؛](?:\s|$))|(?:\s|[,;·،؛])$/.test(text)),
  );
  expect(pieces).toEqual([]);
});

it("points to the left from one thing to the next in Arabic, where it does not name keys", () => {
  const pointing = folders.flatMap((folder) =>
    Object.entries(read(folder, "ar")).filter(([, text]) => /(?<!← )→/.test(text)),
  );
  expect(pointing).toEqual([]);
});

const errorsIn = (language: string) =>
  new Map(
    globSync(`plugins/*/messages/${language}.json`, { cwd: root }).flatMap((path) =>
      Object.entries((JSON.parse(readFileSync(join(root, path), "utf8")).errors ?? {}) as Record<string, string>),
    ),
  );
/** The texts that the server says in English, by folder. */
const textsIn = (language: string) =>
  globSync(`plugins/*/messages/${language}.json`, { cwd: root }).map(
    (path) =>
      [
        path.slice(0, path.lastIndexOf("/")),
        (JSON.parse(readFileSync(join(root, path), "utf8")).texts ?? {}) as Record<string, string>,
      ] as const,
  );
/** Mistakes that only an author of plugins can mend. */
const forAuthors = ["kernel/no-such-slot", "kernel/trial-import-failed"];
const known = [
  ...readFileSync(join(root, "kernel/ERRORS.md"), "utf8").matchAll(
    /^\| `([a-z0-9-]+\/[a-z0-9-]+)` \| [^|]+ \| \d+ \| ([^|]+) \|/gm,
  ),
].map(([, code = "", meaning = ""]) => ({ code, meaning }));

it("has a German message for every error code of a plugin, except where the message is a reason made elsewhere", () => {
  const german = errorsIn("de");
  const isWhole = (meaning: string) => !/…|the message|^[a-z-]+\/[a-z-]+$/.test(meaning);
  const missing = known.filter(
    ({ code, meaning }) => !code.startsWith("kernel/") && isWhole(meaning) && !german.has(code),
  );
  expect(known.length).toBeGreaterThan(400);
  expect(missing).toEqual([]);
});

it("has a message in German and Arabic for every reason to refuse a package", () => {
  for (const language of ["de", "ar"]) {
    const errors = errorsIn(language);
    // The list of errors leaves quotes out.
    const unquoted = (texts: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(texts).map(([text, translation]) => [text.replaceAll('"', ""), translation]));
    const said = translatedBy(textsIn(language).map(([, texts]) => unquoted(texts)));
    // What stands in a place is a figure or a text; what stands at the end may be missing.
    const isSaid = (meaning: string) =>
      [meaning, meaning.replace("…", "7"), meaning.replace(/(?<=\.)…$/, "")].some((text) =>
        ["7", "Backups"].some((value) => said(text.replaceAll("…", value)) !== undefined),
      );
    const silent = known.filter(
      ({ code, meaning }) => code in packageRefusals && !errors.has(code) && !isSaid(meaning),
    );
    expect(
      silent.map(({ code }) => code),
      language,
    ).toEqual(forAuthors);
  }
});

it("says in Arabic every text and every error of the server that it says in German", () => {
  for (const [folder, texts] of textsIn("de")) {
    const arabic = read(folder, "ar") as { texts?: object; errors?: object };
    expect(Object.keys(arabic.texts ?? {}).toSorted(), folder).toEqual(Object.keys(texts).toSorted());
  }
  expect([...errorsIn("ar").keys()].toSorted()).toEqual([...errorsIn("de").keys()].toSorted());
});

/** What the server says of a field that it refuses, as schemas and the errors of plugins have it. */
const refusing = String.raw`(?:regex|refine|min|max|badField|BadField|WrongField|BadSelection|NotAReadingList|CopyPlaceUnusable)\(`;
const reasons = globSync("{kernel,plugins/*}/src/**/*.ts", { cwd: root })
  .filter((path) => !/komga-api|kosync|opds|isolated|readers|contribution-rules|\.d\.ts$/.test(path))
  .flatMap((path) => {
    const code = readFileSync(join(root, path), "utf8");
    const found = code.matchAll(
      new RegExp(`${refusing}[^;]*?["\`]((?:must|may|has|is|holds|lies|contains|names) [^"\`\n]+)["\`]`, "g"),
    );
    return [...found].map(([, reason = ""]) =>
      reason.replace("${named}", "another library").replaceAll(/\$\{[^}]+\}/g, "7"),
    );
  })
  // Of routes that only programs call.
  .filter((reason) => !/a provider's id|the id of a lockout/.test(reason));

it.each(["de", "ar"])("says in %s why a field is refused", (language) => {
  const said = translatedBy(textsIn(language).map(([, texts]) => texts));
  expect(new Set(reasons).size).toBeGreaterThan(40);
  expect([...new Set(reasons)].filter((reason) => said(reason) === undefined)).toEqual([]);
  const many = "What was sent does not fit: name: must not be empty; size.width: must be at most 9.";
  expect(said(many)).not.toContain("must");
});

it.each([
  "The place for copies of backups cannot be used: copyFolder: is needed.",
  "The storage refuses (AccessDenied): Access Denied",
  "The answer of covers.lan cannot be read. It does not match the schema. id: must be a number",
  "The address cannot be used: url: must be an http or https address; topic: is needed.",
  'The field "page" must be less than the 20 pages.',
  'rootFolder: lies inside the library "Comics"',
  "This file cannot be imported: it holds no books.",
])("says in both languages: %s", (message) => {
  for (const language of ["de", "ar"]) {
    const said = translatedBy(textsIn(language).map(([, texts]) => texts))(message);
    expect(said, language).toBeDefined();
    expect(said, language).not.toMatch(/\b(?:must|is needed|holds|lies|cannot)\b/);
  }
});

const unreadable = globSync("plugins/{comics,archive-7z,archive-rar,books,audiobooks}/src/**/*.ts", { cwd: root })
  .flatMap((path) => [
    ...readFileSync(join(root, path), "utf8").matchAll(
      /new Unreadable(?:Archive|Book)?\(\s*(?:"[a-z-]+",\s*)?"([A-Z][^"]+)"|\bdamaged\("([a-z][^"]+)"\)/g,
    ),
  ])
  .map(([, sentence, part]) => sentence ?? `The book is damaged: ${part}.`);

it.each(["de", "ar"])("says in %s why a file cannot be read", (language) => {
  const said = translatedBy(textsIn(language).map(([, texts]) => texts));
  expect(new Set(unreadable).size).toBeGreaterThan(70);
  expect([...new Set(unreadable)].filter((reason) => said(reason) === undefined)).toEqual([]);
});

it("translates no error code that does not exist", () => {
  const codes = new Set(known.map(({ code }) => code));
  const translated = ["de", "ar"].flatMap((language) => [...errorsIn(language).keys()]);
  expect(translated.length).toBeGreaterThan(300);
  expect(translated.filter((code) => !codes.has(code))).toEqual([]);
});

const servers = globSync("plugins/*/messages/en.json", { cwd: root })
  .toSorted()
  .map((path) => path.slice(0, -"/en.json".length));
const messagesOf = (folder: string, language: string): Readonly<Record<string, string>> =>
  (read(folder, language) as { messages?: Record<string, string> }).messages ?? {};

it.each(servers)("%s tells people in German and Arabic what it tells in English, with the same arguments", (folder) => {
  const english = messagesOf(folder, "en");
  expect(Object.keys(english)).not.toEqual([]);
  const shape = (messages: Readonly<Record<string, string>>) =>
    Object.entries(messages).map(([key, text]) => [key, placeholdersOf(text)]);
  for (const language of ["de", "ar"]) expect(shape(messagesOf(folder, language))).toEqual(shape(english));
});
