/** A name as PostgreSQL takes it literally. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Text as PostgreSQL takes it literally in a statement. */
export function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
