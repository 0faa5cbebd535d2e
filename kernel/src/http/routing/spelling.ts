/**
 * How a path is written when it must not be told from another by its case or by a slash at its end. Paths are answered
 * as they are spelled; this is for finding out which a person would take for the same.
 */
export function alikeSpelling(path: string): string {
  const spelled = path
    .split("/")
    .map((segment) => (/^[{:]/.test(segment) ? segment : segment.toLowerCase()))
    .join("/");
  return spelled.length > 1 && spelled.endsWith("/") ? spelled.slice(0, -1) : spelled;
}
