/** The folders that NZBGet puts finished downloads into: that of each category, and that of all. */
export function destinations(options: ReadonlyMap<string, string>): string[] {
  const named = [...options].filter(([name]) => /^(?:DestDir|Category\d+\.DestDir)$/u.test(name));
  return named.flatMap(([, path]) => (path === "" ? [] : [path]));
}

export function categories(options: ReadonlyMap<string, string>): string[] {
  return [...options].flatMap(([name, value]) => (/^Category\d+\.Name$/u.test(name) && value !== "" ? [value] : []));
}

/** Where the downloads of a category end. */
export function destinationOf(options: ReadonlyMap<string, string>, category: string): string {
  const [name] = [...options].find(([key, value]) => /^Category\d+\.Name$/u.test(key) && value === category) ?? [""];
  const own = name === "" ? "" : (options.get(name.replace(".Name", ".DestDir")) ?? "");
  return own === "" ? (options.get("DestDir") ?? "") : own;
}
