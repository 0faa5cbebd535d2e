/**
 * Names that the server makes with a word of a library type, such as `Low Tides, book 2`, in the language of the
 * document.
 */
import { t } from "@longbox/sdk/ui";
import type { ServerTexts } from "./server-texts.js";

type Said = Pick<ServerTexts, "said">["said"];

/** The fields that hold names of works. */
const naming = new Set(["detail", "full", "label", "nextLabel", "readAs", "short", "title", "within"]);
/**
 * A work that has no title, by its place in its series: the word of its type, which is in small letters, and its
 * number.
 */
const placed = /^(?:(.+), )?(\p{Ll}[\p{L} -]*) ([\d.½¼¾∞-]\S*)$/u;

/** Whether an answer of the server holds a name that may have to be said. */
export function holdsPlaces(answer: unknown): boolean {
  if (typeof answer !== "object" || answer === null) return false;
  return Object.entries(answer).some(([name, value]: [string, unknown]) =>
    typeof value === "string" ? naming.has(name) && placed.test(value) : holdsPlaces(value),
  );
}

/**
 * The same answer with those names said in the language. Names that people gave stay: their words have no translation.
 */
export function labelled(answer: unknown, said: Said): unknown {
  if (Array.isArray(answer)) return answer.map((part) => labelled(part, said));
  if (typeof answer !== "object" || answer === null) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === "string" ? (naming.has(name) ? nameSaid(value, said) : value) : labelled(value, said),
    ]),
  );
}

function nameSaid(name: string, said: Said): string {
  const [, series, unit = "", number = ""] = placed.exec(name) ?? [];
  const word = said(unit);
  if (word === unit) return name;
  const place = `${word} ${number}`;
  return series === undefined ? place : t("labelled.within", { series, place });
}
