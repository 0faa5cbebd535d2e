/** Descriptions may hold sanitised HTML; here they are read as text. */
export function plainText(markup: string): string {
  const parsed = new DOMParser().parseFromString(
    markup.replaceAll(/<\/(p|div|li|h\d)>|<br\s*\/?>/gi, "\n"),
    "text/html",
  );
  return (parsed.body.textContent ?? "").replaceAll(/\n{3,}/g, "\n\n").trim();
}

/** A word as it begins a heading. */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
