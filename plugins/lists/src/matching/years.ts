/** The year in a text such as `2019`; a volume may also be a count, such as `2`. */
export function yearOf(text: string): number | undefined {
  return /^(1[89]|2[01])\d\d$/.test(text.trim()) ? Number(text) : undefined;
}
