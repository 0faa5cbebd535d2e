/** Full-width forms that stand for digits, brackets and signs. Letters keep their width: they belong to the title. */
const widths =
  /[\u3000\uff03\uff08\uff09\uff0d\uff10-\uff19\uff3b\uff3d\uff5b\uff5d\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u0e50-\u0e59]/g;
/** The zeros of the digits that are written otherwise: Arabic, Persian, Devanagari and Thai. */
const zeros = [0x660, 0x6f0, 0x966, 0xe50];
/** `第十二話`: numbers below a hundred, written out. */
const kanji = /第([一二三四五六七八九十]{1,3})(?=[巻卷話话章回册冊集期号號])/g;
/** `第3話-第7話`: the counter stands behind both ends of a range. */
const countedRange = /(\d{1,4})([巻卷話话章回册冊集期号號권화회장호])[-–~～〜]([第제]?)(?=(\d{1,4})\2)/g;
const mayCountRange = /[巻卷話话章回册冊集期号號권화회장호] ?[-–~～〜]/;
/** `2019年12号`, `2019年12月`: the year, and the month, in which it appeared; not `1999年の夏`. */
const writtenYear = /((?:19|20)\d\d)年(?:(\d{1,2})月号?)?(?=\s*(?:第?\d|[([]|$))/g;
const kanjiDigits = "〇一二三四五六七八九";
const extension = /\.(?:cbz|zip|cbr|rar|cb7|7z|cbt|tar|pdf|epub|cba)$/iu;

/**
 * A file's name as words and signs: without its extension, with blanks where underscores, points or `%20` stood for
 * them.
 */
export function readable(fileName: string): string {
  let text = fileName.replace(extension, "").normalize("NFC").replace(widths, narrow);
  if (text.includes("第")) text = text.replace(kanji, (_whole, written: string) => `第${kanjiValue(written)}`);
  if (mayCountRange.test(text)) text = text.replace(/ ?([-–~～〜]) ?/g, "$1").replace(countedRange, "$1-");
  if (text.includes("年"))
    text = text.replace(
      writtenYear,
      (_whole, year: string, month?: string) => ` (${month ? `${year}-${month}` : year}) `,
    );
  if (text.includes("º") || text.includes("°")) text = text.replace(/(?<=\bn)\. ?(?=[º°])/gi, "");
  if (text.includes("_")) text = text.replaceAll("_", " ");
  if (text.includes("%20")) text = text.replaceAll("%20", " ");
  return spacedPoints(text).replace(/\s+/g, " ").trim();
}

function narrow(character: string): string {
  if (character === "\u3000") return " ";
  const code = character.charCodeAt(0);
  const zero = zeros.find((first) => code >= first && code < first + 10);
  return zero === undefined ? String.fromCodePoint(code - 0xfee0) : String(code - zero);
}

function kanjiValue(written: string): number {
  const ten = written.indexOf("十");
  if (ten < 0) return Number(Array.from(written, (digit) => kanjiDigits.indexOf(digit)).join(""));
  const tens = ten === 0 ? 1 : kanjiDigits.indexOf(written[ten - 1]!);
  return tens * 10 + (ten === written.length - 1 ? 0 : kanjiDigits.indexOf(written[ten + 1]!));
}

/** Some packers write points for blanks. Those of decimals and acronyms stay: `1.5`, `S.H.I.E.L.D`. */
function spacedPoints(text: string): string {
  if (!text.includes(".") || (text.includes(" ") && !/\S\.\S+\.\S+\.\S/.test(text.slice(0, 300))))
    return joinedByPoint(text);
  if (text.includes(" ") && text.split(" ").length > 3) return joinedByPoint(text);
  let spaced = "";
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== "." || !isBlank(text, at)) spaced += text[at];
    else spaced += endsAcronym(text, at) ? ". " : " ";
  }
  return spaced;
}

/** `Avengers.Hulk`: a point between two long words is a blank, whatever the rest is like. */
function joinedByPoint(text: string): string {
  return text.includes(".") ? text.replace(/(?<=\p{Ll}{3})\.(?=\p{Lu}\p{Ll}{2})/gu, " ") : text;
}

/** `S.H.A.R.D. 004`: the last point belongs to the letters as well. */
const endsAcronym = (text: string, at: number): boolean =>
  /(?<![\p{L}\p{M}])\p{L}\.\p{L}$/u.test(text.slice(Math.max(0, at - 4), at)) && at + 1 < text.length;

function isBlank(text: string, at: number): boolean {
  const [before = " ", after = " "] = [text[at - 1], text[at + 1]];
  const isDigit = (character: string) => character >= "0" && character <= "9";
  if (isDigit(before) && isDigit(after)) return /^\.(?:(?:19|20)\d|0\d)\d(?!\d)/.test(text.slice(at, at + 6));
  const isLetter = (character: string | undefined) => character !== undefined && /[\p{L}\p{M}]/u.test(character);
  if (!isLetter(before) || !isLetter(after)) return true;
  const isSingle = (letter: number) =>
    isLetter(text[letter]) && !isLetter(text[letter - 1]) && !isLetter(text[letter + 1]);
  return !(isSingle(at - 1) && isSingle(at + 1));
}
