/** The text of a description, which may contain sanitised HTML. */
export function plainText(markup: string): string {
  const parsed = new DOMParser().parseFromString(
    markup.replaceAll(/<\/(p|div|li|h\d)>|<br\s*\/?>/gi, "\n"),
    "text/html",
  );
  return (parsed.body.textContent ?? "").replaceAll(/\n{3,}/g, "\n\n").trim();
}

/** A word with a capital first letter, for headings. */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
