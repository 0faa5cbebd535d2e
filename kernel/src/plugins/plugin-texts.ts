import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { filledIn, translatedBy, type LocalizedText, type SaidText } from "@longbox/sdk";
import { z } from "zod";
import type { Member } from "./installed/member.js";

/** Larger files are not read. */
const longestBytes = 512 * 1024;

export const languageQuery = z.object({
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "must be a language tag such as de")
    .max(35),
});

/** What one plugin says on the server in another language; a package has it in `messages/<language>.json`. */
const fileSchema = z.object({
  /** Texts of the manifest and of settings, by the English text. */
  texts: z.record(z.string(), z.string()).default({}),
  /** Messages of errors by their codes; `{id}` is a field of the error's details. */
  errors: z.record(z.string(), z.string()).default({}),
});

export const pluginTextsSchema = z.record(z.string(), fileSchema).meta({ id: "PluginTexts" });
export type PluginTexts = z.output<typeof pluginTextsSchema>;

/** The texts of the plugins that run and have them in the language, by plugin. */
export async function pluginTexts(members: Iterable<Member>, language: string): Promise<PluginTexts> {
  const running = [...members].filter(({ running }) => running !== undefined);
  const read = await Promise.all(
    running.map(async ({ plugin }) => [plugin.id, await readTexts(plugin.folder, language)] as const),
  );
  return Object.fromEntries(read.flatMap(([id, texts]) => (texts === undefined ? [] : [[id, texts]])));
}

async function readTexts(folder: string, language: string): Promise<z.output<typeof fileSchema> | undefined> {
  const path = join(folder, "messages", `${language}.json`);
  try {
    if ((await stat(path)).size > longestBytes) return undefined;
    return fileSchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (fault) {
    // A file that is missing or broken leaves this plugin's texts in English, and those of the others as they are.
    if (fault instanceof z.ZodError || fault instanceof SyntaxError) return undefined;
    if (isNoFile(fault)) return undefined;
    throw fault;
  }
}

/** The names of the files of a package's `messages`; none where that is missing, or no folder. */
async function languageFiles(folder: string): Promise<string[]> {
  try {
    return await readdir(join(folder, "messages"));
  } catch (fault) {
    if (isNoFile(fault)) return [];
    throw fault;
  }
}

/** Whether a path is missing, or a folder where a file is looked for or the other way round. */
function isNoFile(fault: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "EISDIR"].includes((fault as NodeJS.ErrnoException).code ?? "");
}

/** What is said in English, in the languages in which a plugin that runs has it. */
export async function inEachLanguage(members: Iterable<Member>, said: SaidText): Promise<LocalizedText> {
  const running = [...members].filter((member) => member.running !== undefined);
  const names = await Promise.all(running.map(({ plugin }) => languageFiles(plugin.folder)));
  const files = [...new Set(names.flat())].sort();
  const languages = files.flatMap((name) => /^([a-z]{2,3}(?:-[A-Za-z0-9]+)*)\.json$/.exec(name)?.[1] ?? []);
  const texts = await Promise.all(
    languages.map(async (language) => [language, saidBy(await pluginTexts(running, language), said)] as const),
  );
  return { ...Object.fromEntries(texts.filter(([, text]) => text !== undefined)), en: said.text };
}

function saidBy(texts: PluginTexts, { text, code, details }: SaidText): string | undefined {
  const plugins = Object.values(texts);
  const error = code === undefined ? undefined : plugins.find(({ errors }) => errors[code] !== undefined)?.errors[code];
  return (
    (error === undefined ? undefined : filledIn(error, details)) ??
    translatedBy(plugins.map((plugin) => plugin.texts))(text)
  );
}
