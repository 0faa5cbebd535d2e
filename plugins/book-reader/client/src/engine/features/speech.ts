import { textWalker } from "foliate-js/text-walker.js";
import { Overlayer } from "foliate-js/overlayer.js";
import type { EngineCalls, Sentence } from "../../protocol.js";
import { blocks } from "../places/blocks.js";

interface SpokenSentence extends Sentence {
  readonly range: Range;
}

const key = "speech";

/** The sentences of the book, one after another, each marked while it is spoken. The page has the voices. */
export class Speech {
  readonly #view: FoliateView;
  #document: Document | undefined;
  #sentences: readonly SpokenSentence[] = [];
  #at = -1;

  constructor(view: FoliateView) {
    this.#view = view;
  }

  async next(from: Parameters<EngineCalls["nextSentence"]>[0]): Promise<Sentence | undefined> {
    const { renderer } = this.#view;
    let shown = renderer.getContents()[0]?.doc;
    if (shown === undefined) return undefined;
    if (shown !== this.#document || from === "here") this.#begin(shown);
    else this.#at += { after: 1, before: -1, same: 0 }[from];
    while (this.#at >= this.#sentences.length) {
      if (renderer.atEnd !== false && !(await this.#hasNextSection())) return undefined;
      shown = await this.#nextSection();
      if (shown === undefined) return undefined;
      this.#begin(shown);
      this.#at = 0;
    }
    this.#at = Math.max(0, this.#at);
    const sentence = this.#sentences[this.#at];
    if (sentence === undefined) return undefined;
    await this.#show(sentence);
    return { text: sentence.text, language: sentence.language };
  }

  end(): void {
    for (const { overlayer } of this.#view.renderer.getContents()) overlayer?.remove(key);
    this.#document = undefined;
  }

  #begin(shown: Document): void {
    this.#document = shown;
    this.#sentences = [...sentencesOf(shown)];
    const { range } = this.#view.lastLocation ?? {};
    // While one section takes the place of another, the last place may be in the former.
    const visible = range?.startContainer.ownerDocument === shown ? range : undefined;
    const first = this.#sentences.findIndex(
      (sentence) =>
        visible &&
        visible.compareBoundaryPoints(Range.START_TO_END, sentence.range) >= 0 &&
        !endsBefore(sentence.range, visible),
    );
    this.#at = Math.max(0, first);
  }

  async #hasNextSection(): Promise<boolean> {
    return this.#nextIndex() !== undefined;
  }

  #nextIndex(): number | undefined {
    const { sections } = this.#view.book;
    const index = this.#view.renderer.getContents()[0]?.index ?? 0;
    const next = sections.findIndex(({ linear }, at) => at > index && linear !== "no");
    return next < 0 ? undefined : next;
  }

  async #nextSection(): Promise<Document | undefined> {
    const next = this.#nextIndex();
    if (next === undefined) return undefined;
    await this.#view.goTo(next);
    return this.#view.renderer.getContents()[0]?.doc;
  }

  async #show({ range }: SpokenSentence): Promise<void> {
    await this.#view.renderer.scrollToAnchor?.(range.cloneRange());
    range.startContainer.ownerDocument?.getSelection()?.removeAllRanges();
    for (const { overlayer } of this.#view.renderer.getContents()) {
      overlayer?.remove(key);
      overlayer?.add(key, range, Overlayer.highlight, { color: "#7aa7dc" });
    }
  }
}

function endsBefore(range: Range, other: Range): boolean {
  return range.compareBoundaryPoints(Range.START_TO_END, other) <= 0;
}

function* sentencesOf(shown: Document): Generator<SpokenSentence> {
  const languageOfBook = shown.documentElement.lang || "en";
  yield* textWalker(shown, function* (texts, makeRange) {
    const starts = blockStarts(texts, makeRange);
    for (const { from, to, language } of starts) {
      const text = texts.slice(from, to).join("");
      yield* sentencesIn({ text, texts, from, language: language || languageOfBook }, makeRange);
    }
  });
}

interface Block {
  readonly from: number;
  readonly to: number;
  readonly language: string;
}

type MakeRange = Parameters<Parameters<typeof textWalker>[1]>[1];

/** Text nodes that are of one paragraph. */
function blockStarts(texts: readonly string[], makeRange: MakeRange): Block[] {
  const found: { from: number; to: number; language: string; block: Element | null }[] = [];
  for (let index = 0; index < texts.length; index++) {
    const parent = makeRange(index, 0, index, 0).startContainer.parentElement;
    if (parent?.closest("[hidden], rt, rp, aside[hidden], style, script, title")) continue;
    const block = parent?.closest(blocks) ?? null;
    const last = found.at(-1);
    if (last !== undefined && last.block === block && last.to === index) last.to = index + 1;
    else
      found.push({ from: index, to: index + 1, language: parent?.closest<HTMLElement>("[lang]")?.lang ?? "", block });
  }
  return found;
}

interface Paragraph {
  readonly text: string;
  readonly texts: readonly string[];
  readonly from: number;
  readonly language: string;
}

function* sentencesIn({ text, texts, from, language }: Paragraph, makeRange: MakeRange): Generator<SpokenSentence> {
  for (const { segment, index } of segmenter(language).segment(text)) {
    const spoken = segment.trim();
    if (!/[\p{L}\p{N}]/u.test(spoken)) continue;
    const [startNode, startOffset] = placeOf(texts, from, index + segment.indexOf(spoken));
    const [endNode, endOffset] = placeOf(texts, from, index + segment.indexOf(spoken) + spoken.length - 1);
    const range = makeRange(startNode, startOffset, endNode, endOffset + 1);
    yield { text: spoken.replaceAll(/\s+/g, " "), language, range };
  }
}

function segmenter(language: string): Intl.Segmenter {
  try {
    return new Intl.Segmenter(language, { granularity: "sentence" });
  } catch {
    // Books name languages that there are not.
    return new Intl.Segmenter("en", { granularity: "sentence" });
  }
}

function placeOf(texts: readonly string[], from: number, at: number): [node: number, offset: number] {
  let [node, offset] = [from, at];
  while (offset >= (texts[node]?.length ?? Number.POSITIVE_INFINITY)) offset -= texts[node++]!.length;
  return [node, offset];
}
