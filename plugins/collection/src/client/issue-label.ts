/** `12` is shown as `#12`; names such as `Annual 1` stay as they are, and an unknown number is empty. */
export function issueLabel(number: string | null): string {
  if (number === null) return "";
  return /^[\d.½¼¾∞-]/.test(number) ? `#${number}` : number;
}
