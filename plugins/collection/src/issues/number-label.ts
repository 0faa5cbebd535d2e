/** `12` is shown as `#12`; names such as `Annual 1` stay as they are, and an unknown number is empty. */
export function numberLabel(number: string): string {
  return /^[\d.½¼¾∞-]/.test(number) ? `#${number}` : number;
}
