/** So many digits have their length told apart; longer numbers are sorted as texts. */
const mostDigits = 9;

/**
 * The key by which titles are sorted, of what `foldTitle` made of one: numbers by their value, so that `Volume 28` comes
 * before `Volume 112`. Each run of digits is preceded by its length, without leading zeros.
 */
export function titleOrder(titleKey: string): string {
  return titleKey.replaceAll(/\d+/gu, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, "");
    return `${Math.min(number.length, mostDigits)}${number}`;
  });
}
