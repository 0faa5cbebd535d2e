/** The ending of a name in lower case, without the dot; empty when it has none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > name.lastIndexOf("/") + 1 ? name.slice(dot + 1).toLowerCase() : "";
}

/** Where companions of a file lie: `A 1.ComicInfo.xml` beside `A 1.cbz`. */
export function companionPaths(path: string, endings: readonly string[]): string[] {
  const dot = path.lastIndexOf(".");
  const base = dot > path.lastIndexOf("/") ? path.slice(0, dot) : path;
  return endings.map((ending) => `${base}.${ending}`);
}

/** Files that operating systems leave behind, regardless of their extension. */
export function isLeftover(name: string): boolean {
  return name.startsWith(".");
}
