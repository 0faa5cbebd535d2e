/** The ISBN of 13 digits, or undefined for what is none: Open Library also has ISBNs that were typed wrongly. */
export function isbn13(written: string): string | undefined {
  const digits = written.replaceAll(/[\s-]/g, "").toUpperCase();
  if (/^\d{9}[\dX]$/.test(digits) && sum10(digits) % 11 === 0) {
    const stem = `978${digits.slice(0, 9)}`;
    return stem + String((10 - (sum13(stem) % 10)) % 10);
  }
  return /^97[89]\d{10}$/.test(digits) && sum13(digits) % 10 === 0 ? digits : undefined;
}

const sum10 = (digits: string) =>
  [...digits].reduce((sum, digit, index) => sum + (digit === "X" ? 10 : Number(digit)) * (10 - index), 0);
const sum13 = (digits: string) =>
  [...digits].reduce((sum, digit, index) => sum + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
