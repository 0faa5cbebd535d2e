/** Full-width forms that stand for digits, brackets and signs. Letters keep their width: they belong to the title. */
const widths = /[\u3000\uff03\uff08\uff09\uff0d\uff10-\uff19\uff3b\uff3d\uff5b\uff5d\u0e50-\u0e59]/g;
/** `第十二話`: numbers below a hundred, written out. */
const kanji = /第([一二三四五六七八九十]{1,3})(?=[巻卷話话章回册冊集])/g;
const kanjiDigits = "〇一二三四五六七八九";
const extension = /\.(?:cbz|zip|cbr|rar|cb7|7z|cbt|tar|pdf|epub|cba)$/iu;

/** A file's name as words and signs: without its extension, with blanks where underscores, points or `%20` stood for them. */
export function readable(fileName: string): string {
  let text = fileName.replace(extension, "").normalize("NFC").replace(widths, narrow);
  if (text.includes("第")) text = text.replace(kanji, (_whole, written: string) => `第${kanjiValue(written)}`);
  if (text.includes("º") || text.includes("°")) text = text.replace(/(?<=\bn)\. ?(?=[º°])/gi, "");
  if (text.includes("_")) text = text.replaceAll("_", " ");
  if (text.includes("%20")) text = text.replaceAll("%20", " ");
  return spacedPoints(text).replace(/\s+/g, " ").trim();
}

function narrow(character: string): string {
  if (character === "\u3000") return " ";
  if (character >= "\u0e50" && character <= "\u0e59") return String(character.charCodeAt(0) - 0xe50);
  return String.fromCodePoint(character.codePointAt(0)! - 0xfee0);
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
  for (let at = 0; at < text.length; at++) spaced += text[at] === "." && isBlank(text, at) ? " " : text[at];
  return spaced;
}

/** `Avengers.Hulk`: a point between two long words is a blank, whatever the rest is like. */
function joinedByPoint(text: string): string {
  return text.includes(".") ? text.replace(/(?<=\p{Ll}{3})\.(?=\p{Lu}\p{Ll}{2})/gu, " ") : text;
}

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
