import { textIn, type LocalizedText } from "@longbox/sdk";
import { z } from "zod";
import type { Notice } from "../contract.js";
import type { NoticeTable } from "../tables.js";

const localizedSchema = z.object({ en: z.string() }).catchall(z.string());
const textSchema = z.union([z.string(), localizedSchema]);
/** What is kept of a notification in several languages. */
export const noticeTextsSchema = z.object({ title: textSchema, body: textSchema });

type Text = string | LocalizedText;
type StoredTexts = Pick<NoticeTable, "title" | "body" | "texts">;

const longestTitle = 200;
const longestBody = 2_000;

/**
 * The texts of a notification as they are stored: in English for all, and in every language where there are several.
 */
export function storedTexts(notice: Pick<Notice, "title" | "body">): StoredTexts {
  const title = inEach(notice.title, (text) => cut(text, longestTitle));
  const body = inEach(notice.body ?? "", (text) => cut(text, longestBody));
  const isPlain = typeof title === "string" && typeof body === "string";
  return {
    title: textIn(title, "en"),
    body: textIn(body, "en"),
    texts: isPlain ? null : JSON.stringify({ title, body }),
  };
}

/** The texts as a person reads them. @param language - undefined where it is not known */
export function readTexts({ title, body, texts }: StoredTexts, language: string | undefined) {
  if (texts === null) return { title, body };
  const stored = noticeTextsSchema.parse(JSON.parse(texts));
  return { title: textIn(stored.title, language), body: textIn(stored.body, language) };
}

function inEach(text: Text, change: (one: string) => string): Text {
  if (typeof text === "string") return change(text);
  const changed = Object.entries(text).map(([language, one]) => [language, change(one)]);
  return { ...Object.fromEntries(changed), en: change(text.en) };
}

/** At most so many characters, without what no database stores. */
export function cut(text: string, longest: number): string {
  // PostgreSQL stores no NUL.
  const line = text.toWellFormed().replaceAll("\0", "").trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1).toWellFormed()}…`;
}
