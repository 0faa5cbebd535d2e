export function categories(options: ReadonlyMap<string, string>): string[] {
  return [...options].flatMap(([name, value]) => (/^Category\d+\.Name$/u.test(name) && value !== "" ? [value] : []));
}

/** Where the downloads of a category end. */
export function destinationOf(options: ReadonlyMap<string, string>, category: string): string {
  const [name] = [...options].find(([key, value]) => /^Category\d+\.Name$/u.test(key) && value === category) ?? [""];
  const own = name === "" ? "" : (options.get(name.replace(".Name", ".DestDir")) ?? "");
  return own === "" ? (options.get("DestDir") ?? "") : own;
}
