/** A text that ends as a sentence does, whether it came with a full stop or without. */
export function sentence(text: string): string {
  return `${text.replace(/[.\s]+$/, "")}.`;
}
