/** A number as the collection writes it: no leading zeros, decimals by a point, `1.MU`, `12A`, `5 extra`. */
export function plainNumber(text: string): string {
  let tidy = text.trim();
  const list = /^(\d{2,3}),(\d{2,3})$/.exec(tidy);
  if (list && Number(list[2]) === Number(list[1]) + 1) return `${Number(list[1])}-${Number(list[2])}`;
  if (/^[1-9]\d{0,2}(?:,\d{3})+$/.test(tidy)) tidy = tidy.replaceAll(",", "");
  return tidy
    .replace(/,(?=\d)/g, ".")
    .replace(/^([A-Za-z]?-?)0+(?=\d)/, "$1")
    .replace(/[.,\- ]?(extra|omake|special)$/i, (_whole, word: string) => ` ${word.toLowerCase()}`)
    .replace(/[.,-]([a-h])$/, "$1");
}

const romanDigits: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50 };

/** The value of a Roman number below 90 in the usual spelling; undefined for everything else. */
export function romanValue(text: string): number | undefined {
  if (text.length > 8 || !/^l?x{0,3}(?:ix|iv|v?i{0,3})$/i.test(text)) return undefined;
  const digits = Array.from(text.toLowerCase(), (digit) => romanDigits[digit]!);
  const value = digits.reduce((sum, digit, at) => sum + (digit < (digits[at + 1] ?? 0) ? -digit : digit), 0);
  return value === 0 ? undefined : value;
}

/** Years in which comics appeared or may appear soon. */
export const isYear = (text: string): boolean => /^(?:18[5-9]|19\d|20[0-4])\d$/.test(text);

/** A number that may be a year, of the past or of science fiction, and hardly ever is an issue's. */
export const isYearLike = (text: string): boolean => /^(?:19[3-9]|20\d)\d$/.test(text);

/** `003`, `012.5`: nothing but an issue's number is written so. */
export const isPadded = (text: string): boolean => /^0\d{2}/.test(text);
