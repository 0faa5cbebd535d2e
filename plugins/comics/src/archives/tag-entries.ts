/**
 * The tags of an archive: the file of that name at its root where several stand, else the shallowest. Names are matched
 * without case.
 */
export function findTagsEntry<Entry extends { readonly name: string }>(
  entries: readonly Entry[],
  fileName: "comicinfo.xml" | "metroninfo.xml" = "comicinfo.xml",
): Entry | undefined {
  let best: Entry | undefined;
  for (const entry of entries) {
    if (entry.name.length < fileName.length || !isNamed(entry.name, fileName)) continue;
    if (best === undefined || depth(entry.name) < depth(best.name)) best = entry;
  }
  return best;
}

function isNamed(path: string, fileName: string): boolean {
  const before = path.at(-fileName.length - 1);
  if (path.slice(-fileName.length).toLowerCase() !== fileName) return false;
  return (before === undefined || before === "/" || before === "\\") && !/(^|[\\/])__MACOSX[\\/]/.test(path);
}

function depth(name: string): number {
  return name.split(/[\\/]/).length;
}
