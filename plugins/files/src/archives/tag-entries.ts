/** The ComicInfo.xml of an archive: the one at its root where several stand, else the shallowest. Its name is matched without case. */
export function findTagsEntry<Entry extends { readonly name: string }>(entries: readonly Entry[]): Entry | undefined {
  let best: Entry | undefined;
  for (const entry of entries) {
    if (entry.name.length < 13 || !/(^|[\\/])comicinfo\.xml$/i.test(entry.name) || /(^|[\\/])__MACOSX[\\/]/.test(entry.name)) continue;
    if (best === undefined || depth(entry.name) < depth(best.name)) best = entry;
  }
  return best;
}

function depth(name: string): number {
  return name.split(/[\\/]/).length;
}
