import { textWalker, type MakeRange } from "foliate-js/text-walker.js";
import { blocks } from "./blocks.js";

/** The text of a document in the form in which it is compared, with the place of each character. */
interface ComparedText {
  readonly text: string;
  /** For each character, the text node it is of and its offset there; one more for the end. */
  readonly places: readonly (readonly [node: number, offset: number])[];
}

export interface FoundText {
  readonly range: Range;
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

const contextLength = 60;

/** Finds a text without regard to case, accents, and how lines are broken. */
export function* findText(document: Document, query: string): Generator<FoundText> {
  const needle = folded([query]).text.trim();
  if (needle === "") return;
  yield* textWalker(document, function* (texts, makeRange) {
    const { text, places } = folded(texts);
    const parts = divided(texts, makeRange);
    const original = (from: number, to: number) => readable(parts, places[from]!, places[to]!);
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
      const end = at + needle.length;
      const [startNode, startOffset] = places[at]!;
      const [lastNode, lastOffset] = places[end - 1]!;
      yield {
        range: makeRange(startNode, startOffset, lastNode, lastOffset + 1),
        before: original(Math.max(0, at - contextLength), at),
        match: original(at, end),
        after: original(end, Math.min(text.length, end + contextLength)),
      };
    }
  });
}

function folded(texts: readonly string[]): ComparedText {
  const characters: string[] = [];
  const places: (readonly [number, number])[] = [];
  for (const [node, text] of texts.entries())
    for (let offset = 0; offset < text.length; offset++) {
      const character = fold(text[offset]!);
      if (character === " " && (characters.at(-1) ?? " ") === " ") continue;
      for (const part of character) {
        characters.push(part);
        places.push([node, offset]);
      }
    }
  places.push([texts.length - 1, texts.at(-1)?.length ?? 0]);
  return { text: characters.join(""), places };
}

/** One character without case and accents; those that only join or hyphenate vanish. */
function fold(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 128) return code <= 32 ? " " : character.toLowerCase();
  if (/[\s\u00a0]/u.test(character)) return " ";
  if (/[\u00ad\u200b-\u200d\ufeff]/u.test(character)) return "";
  const plain = character.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain
    .replaceAll(/[‘’‚]/gu, "'")
    .replaceAll(/[“”„«»]/gu, '"')
    .replaceAll(/[‐‑–—]/gu, "-")
    .slice(0, 4);
}

interface Part {
  readonly text: string;
  /** Whether the text before it is of another paragraph. */
  readonly isApart: () => boolean;
}

function divided(texts: readonly string[], makeRange: MakeRange): Part[] {
  const blockOf = (node: number) => makeRange(node, 0, node, 0).startContainer.parentElement?.closest(blocks);
  return texts.map((text, node) => ({ text, isApart: () => node > 0 && blockOf(node) !== blockOf(node - 1) }));
}

type Place = readonly [node: number, offset: number];

function readable(parts: readonly Part[], [fromNode, fromOffset]: Place, [toNode, toOffset]: Place): string {
  const texts = parts
    .slice(fromNode, toNode + 1)
    .map(({ text, isApart }, index, all) =>
      [
        index > 0 && isApart() ? " " : "",
        text.slice(index === 0 ? fromOffset : 0, index === all.length - 1 ? toOffset : undefined),
      ].join(""),
    );
  return texts.join("").replaceAll(/\s+/g, " ");
}
