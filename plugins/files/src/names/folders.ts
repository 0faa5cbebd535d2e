import { counterAt, joinedWords, knownWord } from "./vocabulary.js";
import { editionOf } from "./editions.js";
import { isYear, romanValue } from "./numbers.js";
import { parseFolderName } from "./parse-name.js";
import { readable } from "./text.js";
import { tokenize, type Token } from "./tokens.js";

/** What the folders above a file say of it. */
export interface FolderReading {
  /** How many of the folders, from the innermost, only divide the series: `Volume 2`, `1999`, `Annuals`. */
  readonly divisions: number;
  readonly name: string | undefined;
  readonly year: number | undefined;
  /** The year of a folder that divides the series, such as `1999`. */
  readonly divisionYear: number | undefined;
  readonly volume: number | undefined;
  readonly cvId: number | undefined;
  /** What the files are when their folder says so. */
  readonly kind: "annual" | "special" | undefined;
  /** The edition of the files when their folder says so: `TPB`. */
  readonly edition: string | undefined;
  /** Whether the folder is certainly one series: it has a year, a volume or a provider's id. */
  readonly isOneSeries: boolean;
}

const plurals: ReadonlySet<string> = new Set(
  "annuals specials extras extra tpbs trades hardcovers one-shots oneshots volumes chapters issues books seasons part parts".split(
    " ",
  ),
);

/** What a folder that only divides a series says. */
interface Division {
  readonly year: number | undefined;
  readonly volume: number | undefined;
  readonly kind: FolderReading["kind"];
  readonly edition?: string | undefined;
}

/**
 * Reads folders from the library's root to a file. The outermost is never a division: nothing would be left to name the
 * series.
 */
export function readFolders(folders: readonly string[]): FolderReading {
  let divisions = 0;
  let within: Division = { year: undefined, volume: undefined, kind: undefined };
  while (divisions < folders.length - 1) {
    const division = divisionOf(folders[folders.length - 1 - divisions]!);
    if (!division) break;
    within = {
      year: within.year ?? division.year,
      volume: within.volume ?? division.volume,
      kind: within.kind ?? division.kind,
      edition: within.edition ?? division.edition,
    };
    divisions++;
  }
  const folder = folders[folders.length - 1 - divisions];
  const parsed = folder === undefined ? undefined : parseFolderName(folder);
  return {
    divisions,
    name: parsed?.name,
    year: within.year ?? parsed?.year,
    divisionYear: within.year,
    volume: within.volume ?? parsed?.volume,
    cvId: parsed?.cvId,
    kind: within.kind,
    edition: within.edition,
    isOneSeries: divisions > 0 || [parsed?.year, parsed?.volume, parsed?.cvId].some((value) => value !== undefined),
  };
}

/** Undefined for a folder that has a name of its own. */
export function divisionOf(folder: string): Division | undefined {
  const tokens = tokenize(readable(`${folder}.cbz`));
  const words = tokens.filter(({ kind }) => kind !== "bracket" && kind !== "mark");
  if (words.length === 0 || words.length > 3) return undefined;
  const bracketYear = tokens.find(({ kind, text }) => kind === "bracket" && isYear(text))?.text;
  const year = bracketYear === undefined ? undefined : Number(bracketYear);
  const [first, second] = words as [Token, Token | undefined];
  if (words.length === 1 && first.kind === "number")
    return isYear(first.text) ? { year: Number(first.text), volume: undefined, kind: undefined } : undefined;
  const kind = kindOf(first.key);
  const edition = words.length === 1 ? folderEdition(first.key) : undefined;
  const isPlural =
    words.length === 1 && (plurals.has(first.key) || kind !== undefined || editionOf(first.key) !== undefined);
  if (isPlural || (words.length === 2 && /^(?:one|shots?)$/.test(first.key)))
    return { year, volume: undefined, kind, edition };
  const counted = countedVolume(words);
  if (counted !== undefined) return { year, volume: counted, kind: undefined };
  const role = roleOf(first);
  const number = second && numberOf(second);
  if (role === undefined || number === undefined || words.length > 2) return undefined;
  if (number >= 1850) return { year: year ?? number, volume: number, kind };
  return { year, volume: role === "volume" ? number : undefined, kind };
}

/** Of collected editions, whose numbers are not those of the issues beside them. */
function folderEdition(key: string): string | undefined {
  const singular = key.endsWith("s") ? key.slice(0, -1) : key;
  const edition = key === "trades" ? "TPB" : (editionOf(key) ?? editionOf(singular));
  return edition === "One-Shot" ? undefined : edition;
}

function kindOf(key: string): Division["kind"] {
  const singular = key.endsWith("s") ? key.slice(0, -1) : key;
  const role = (knownWord(key, false) ?? knownWord(singular, false))?.role;
  return role === "annual" || role === "special" ? role : undefined;
}

function roleOf({ key }: Token): string | undefined {
  const role = (knownWord(key, true) ?? (joinedWords.includes(key) ? knownWord(key, false) : undefined))?.role;
  return role === "of" || role === "to" || role === "version"
    ? undefined
    : (role ?? (plurals.has(key) ? "part" : undefined));
}

function numberOf({ kind, text }: Token): number | undefined {
  if (kind === "number") return /^\d{1,4}$/.test(text) ? Number(text) : undefined;
  return text === text.toUpperCase() ? romanValue(text) : undefined;
}

/** `第2巻`, `2권`. */
function countedVolume(words: readonly Token[]): number | undefined {
  const at = words.findIndex(({ kind }) => kind === "number");
  const [number, counter] = [words[at], words[at + 1]];
  if (!number || !counter || words.length > 3 || at > 1 || (at === 1 && !/^[第제]$/.test(words[0]!.text)))
    return undefined;
  const found = counterAt(counter.key);
  return found?.word === counter.key && found.role === "volume" ? Number(number.text) : undefined;
}
