import type { FolderListing } from "@longbox/files/contract";
import { formatOfName } from "../formats.js";

const discFolder = /^(?:cd|dis[ck]|part|teil|side)[\s_.-]*\d{1,3}$/i;
/** Folders with pictures and papers, which hold no sound of the book. */
const otherFolder = /^(?:\..*|__macosx|@eadir|art|artwork|covers?|scans|images?|booklet|extras?)$/i;
const partWord = /\b(?:part|pt|disc|disk|cd|chapter|ch|kapitel|teil|track)\b/i;

export const byName = new Intl.Collator("en", { numeric: true });

export const isDiscFolder = (name: string): boolean => discFolder.test(name);

export function isSound(name: string): boolean {
  return !name.startsWith(".") && formatOfName(name) !== undefined;
}

/**
 * Whether a folder is one book: at least two files of one format whose names count the parts, or folders for discs.
 * Files with titles of their own are books of their own.
 */
export function isBookFolder({ files, folders }: FolderListing): boolean {
  const sounds = files.filter(isSound);
  const inside = folders.filter((name) => !otherFolder.test(name));
  if (inside.length > 0) return sounds.length === 0 && inside.every(isDiscFolder);
  if (sounds.length < 2 || new Set(sounds.map((name) => formatOfName(name)?.id)).size > 1) return false;
  const names = sounds.map((name) => name.slice(0, name.lastIndexOf(".")));
  const isM4b = formatOfName(sounds[0]!)?.id === "m4b";
  // An M4B is usually a whole book, so that a number alone may be its place in a series.
  return differByNumber(names) ? !isM4b || partWord.test(names[0]!) : !isM4b && beginWithNumbers(names);
}

/** `Night Bell 01`, `Night Bell 02` */
function differByNumber(names: readonly string[]): boolean {
  return (
    new Set(names.map((name) => name.replaceAll(/\d+/g, "#"))).size === 1 && names.every((name) => /\d/.test(name))
  );
}

/** `01 - The Gate`, `02 - The Bell`; without gaps larger than the parts that are there. */
function beginWithNumbers(names: readonly string[]): boolean {
  const numbers = names.map((name) => /^(?:(?:track|part|chapter)\s*)?(\d{1,4})(?!\d)/i.exec(name)?.[1]);
  if (numbers.some((number) => number === undefined)) return false;
  const distinct = new Set(numbers.map(Number));
  return distinct.size === names.length && Math.max(...distinct) - Math.min(...distinct) < 2 * names.length;
}
