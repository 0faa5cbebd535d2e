import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { unlessMissing } from "@longbox/sdk";
import { messageProblem } from "@longbox/sdk/messages";
import { z } from "zod";
import type { Mistake } from "./mistakes.js";

const texts = z.record(z.string(), z.string()).default({});
/** As the server reads them, which leaves out what it does not know. */
const fileSchema = z.strictObject({ texts, errors: texts, messages: texts });
type MessageFile = z.output<typeof fileSchema>;

const tag = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;

/**
 * What keeps texts of a package from being said in the languages of `messages/<language>.json`: a file that cannot be
 * read is left out, and everything stays in English. Parses the package's texts, so it belongs into the process of a
 * trial.
 */
export async function examineMessageFiles(folder: string): Promise<Mistake[]> {
  const names = (await unlessMissing(readdir(path.join(folder, "messages")))) ?? [];
  const found: Mistake[] = [];
  const messages = new Map<string, MessageFile["messages"]>();
  for (const name of names.filter((each) => each.endsWith(".json")).sort()) {
    const file = `messages/${name}`;
    const read = isLanguage(name.slice(0, -".json".length))
      ? readFileOf(await readFile(path.join(folder, file), "utf8"))
      : "is named after no language: write a tag such as de or pt-BR";
    if (typeof read === "string") found.push(mistake(file, read));
    else messages.set(file, read.messages);
    if (typeof read !== "string")
      found.push(...wrongPlaces(file, read.texts), ...(await unreadable(file, read.messages)));
  }
  return [...found, ...withoutEnglish(messages)];
}

function mistake(file: string, problem: string): Mistake {
  return { code: "messages-unreadable", file, message: `The file "${file}" ${problem}.` };
}

function isLanguage(name: string): boolean {
  try {
    return tag.test(name) && Intl.getCanonicalLocales(name).length === 1;
  } catch {
    return false;
  }
}

/** @returns why it cannot be read, if it cannot */
function readFileOf(text: string): MessageFile | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (fault) {
    return `is no JSON: ${(fault as Error).message}`;
  }
  const parsed = fileSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue!.path.length === 0 ? "" : `${issue!.path.join(".")}: `;
  return `must hold texts under "texts", "errors" and "messages": ${where}${issue!.message}`;
}

const placesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

/** A translation with a place that its English text does not have is never said. */
function wrongPlaces(file: string, translations: MessageFile["texts"]): Mistake[] {
  return Object.entries(translations).flatMap(([text, translation]) => {
    const known = new Set(placesOf(text));
    const wrong = placesOf(translation).find((name) => !known.has(name));
    if (wrong === undefined) return [];
    return [mistake(file, `has the place {${wrong}} in the translation of "${text}", which does not have it`)];
  });
}

async function unreadable(file: string, messages: MessageFile["messages"]): Promise<Mistake[]> {
  const found: Mistake[] = [];
  for (const [key, text] of Object.entries(messages)) {
    const problem = await messageProblem(text);
    if (problem !== undefined)
      found.push(mistake(file, `has the message "${key}", which is not in ICU's format: ${problem}`));
  }
  return found;
}

/** English is what is said where a language lacks a message; without it nothing can be said. */
function withoutEnglish(messages: ReadonlyMap<string, MessageFile["messages"]>): Mistake[] {
  const english = messages.get("messages/en.json") ?? {};
  return [...messages].flatMap(([file, own]) => {
    const key = Object.keys(own).find((each) => english[each] === undefined);
    return key === undefined ? [] : [mistake(file, `has the message "${key}", which "messages/en.json" does not have`)];
  });
}
