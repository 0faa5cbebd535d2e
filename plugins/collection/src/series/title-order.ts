/** Numbers with more digits than this are sorted as text. */
const mostDigits = 9;

/**
 * The key by which a title is sorted, made from the result of `foldTitle`. Numbers are sorted by value, so that
 * `Volume 28` comes before `Volume 112`. Each run of digits is preceded by its length, without leading zeros.
 */
export function titleOrder(titleKey: string): string {
  return titleKey.replaceAll(/\d+/gu, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, "");
    return `${Math.min(number.length, mostDigits)}${number}`;
  });
}
