/** Endings of several parts come first. */
const endings = /\.(?:kepub\.epub|fb2\.zip|[a-z0-9]{2,5})$/iu;

/** A book that was converted for a Kobo: it is an EPUB, with a twin that other programs read as well. */
export const isKepub = (name: string): boolean => /\.kepub(?:\.epub)?$/iu.test(name);

/** The name without its ending, which may have two parts: `The Salt Road.kepub.epub`. */
export function stemOf(name: string): string {
  const stem = name.replace(endings, "");
  return stem === "" ? name : stem;
}
