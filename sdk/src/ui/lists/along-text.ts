import { isRightToLeft } from "../language/language.js";

const swapped: Readonly<Record<string, string>> = { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft" };

/**
 * A key as it would be on a page that is read from the left: where the language is read from the right, the left arrow
 * leads to what comes next, and is answered as `ArrowRight`.
 * @param key - of a keyboard event
 */
export function alongText(key: string): string {
  return isRightToLeft ? (swapped[key] ?? key) : key;
}
