import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { textIn, type LocalizedText } from "../texts/localized-text.js";
import { compileMessage } from "./compile.js";
import { messageParts, messageRules } from "./message-parts.js";
import type { SaidValues } from "./saying.js";

const fileSchema = z.object({ messages: z.record(z.string(), z.string()).default({}) });
type Messages = z.output<typeof fileSchema>["messages"];

const rightToLeft = /^(?:ar|dv|fa|he|ku|ps|sd|ug|ur|yi)\b/;

/** The messages of one plugin by their languages. */
class SpokenLanguages {
  constructor(
    private readonly folder: string,
    private readonly languages: ReadonlyMap<string, Messages>,
  ) {}

  /** @throws {Error} when there is no such message in English, or one is not ICU */
  say(key: string, values: SaidValues): LocalizedText {
    const said = [...this.languages].flatMap(([language, messages]) => {
      const source = messages[key];
      return source === undefined ? [] : [[language, inLanguage(source, values, language)] as const];
    });
    const texts = Object.fromEntries(said);
    if (texts["en"] === undefined) throw new Error(`${join(this.folder, "en.json")} has no message "${key}".`);
    return { ...texts, en: texts["en"] };
  }
}

/** Reads `messages` beside the closest package.json above a module. */
export async function readLanguages(moduleUrl: string): Promise<SpokenLanguages> {
  const folder = join(packageFolder(fileURLToPath(moduleUrl)), "messages");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  const languages = await Promise.all(
    names.map(async (name) => {
      const { messages } = fileSchema.parse(JSON.parse(await readFile(join(folder, name), "utf8")));
      return [name.slice(0, -".json".length), messages] as const;
    }),
  );
  return new SpokenLanguages(folder, new Map(languages));
}

function packageFolder(path: string): string {
  let folder = dirname(path);
  while (!existsSync(join(folder, "package.json"))) {
    if (folder === dirname(folder)) throw new Error(`There is no package.json above ${path}.`);
    folder = dirname(folder);
  }
  return folder;
}

function inLanguage(source: string, values: SaidValues, language: string): string {
  const own = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "number" ? value : textIn(value, language),
  ]);
  const rules = messageRules(language, rightToLeft.test(language), language);
  return messageParts(compileMessage(source), Object.fromEntries(own), rules).map(String).join("");
}
