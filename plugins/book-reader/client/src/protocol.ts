import type { Layout } from "@longbox/book-reader/api";

/*
 * What the page and the engine tell each other through their port. The engine runs in a frame of another origin, so
 * everything here can be cloned. The engine shows what books contain: the page must treat every text from it as text.
 */

/** A place in a book, in the shape of a Readium locator. */
export interface Locator {
  readonly href?: string | undefined;
  readonly type?: string | undefined;
  readonly title?: string | undefined;
  readonly locations: {
    /** `epubcfi(…)`; books that are not EPUB get CFIs in which the section counts as the spine item. */
    readonly fragments?: readonly string[] | undefined;
    readonly totalProgression?: number | undefined;
  };
  readonly text?:
    | {
        readonly before?: string | undefined;
        readonly highlight?: string | undefined;
        readonly after?: string | undefined;
      }
    | undefined;
}

/** Where to go: a locator as stored, of any program, with the fraction of the book that was stored beside it. */
export interface StoredPlace {
  readonly locator: string;
  readonly fraction: number;
  /** The marked text, of a highlight. */
  readonly text?: string | undefined;
}

export interface Mark extends StoredPlace {
  readonly id: number;
  readonly color: string;
}

export interface Chapter {
  readonly label: string;
  readonly href: string;
  readonly children: readonly Chapter[];
}

export interface OpenedBook {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  readonly rightToLeft: boolean;
  readonly fixedLayout: boolean;
  readonly readAlong: boolean;
  readonly chapters: readonly Chapter[];
}

/** The shown place, told after every move. */
export interface ShownPlace {
  /** JSON of a {@link Locator}. */
  readonly locator: string;
  readonly fraction: number;
  readonly chapter: string;
  readonly chapterHref: string;
  /** Screens of even length, counted from 0, which do not depend on the layout. */
  readonly page: number;
  readonly pages: number;
  readonly minutesLeft: number;
  readonly atEnd: boolean;
  readonly reason: string;
}

/** A rectangle in the engine's frame, in CSS pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface SelectedText {
  readonly text: string;
  readonly locator: string;
  readonly fraction: number;
  readonly box: Box;
}

export interface Finding {
  readonly cfi: string;
  readonly chapter: string;
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

export interface Sentence {
  readonly text: string;
  readonly language: string;
}

/** What the engine says itself; `#` stands for the number of a page. */
export interface EngineWords {
  readonly note: string;
  readonly closeNote: string;
  readonly page: string;
  readonly text: string;
  readonly recordingFails: string;
}

/** What the page asks of the engine. Each answers with a promise at the page. */
export interface EngineCalls {
  open(input: {
    file: Blob;
    name: string;
    layout: Layout;
    place: StoredPlace | undefined;
    words: EngineWords;
  }): OpenedBook;
  setLayout(layout: Layout): void;
  turn(to: "next" | "previous" | "left" | "right"): void;
  goToHref(href: string): boolean;
  /** Goes to a text that was found, and marks it until something else is looked at. */
  goToFinding(cfi: string): void;
  goToFraction(fraction: number): void;
  goToPlace(place: StoredPlace): void;
  goBack(): void;
  setMarks(marks: readonly Mark[]): void;
  search(query: string): void;
  endSearch(): void;
  clearSelection(): void;
  closeNote(): void;
  /** The sentence to be spoken: the first of the shown page, or the one after the last. Undefined at the end. */
  nextSentence(from: "here" | "after" | "before" | "same"): Sentence | undefined;
  endSpeech(): void;
  readAlong(command: "play" | "pause" | "next" | "previous" | "stop", rate: number): void;
  focus(): void;
}

/** What the engine tells the page. */
export interface EngineEvents {
  shown: ShownPlace;
  selected: SelectedText | undefined;
  markTapped: { readonly id: number; readonly box: Box };
  /** `turns`: whether there are pages to be turned. */
  tapped: { readonly x: number; readonly width: number; readonly turns: boolean };
  wheel: { readonly to: "next" | "previous" | "left" | "right" };
  key: {
    readonly key: string;
    readonly code: string;
    readonly ctrl: boolean;
    readonly alt: boolean;
    readonly shift: boolean;
  };
  externalLink: { readonly href: string };
  found: { readonly findings: readonly Finding[]; readonly progress: number; readonly done: boolean };
  readAlong: { readonly playing: boolean };
  note: { readonly open: boolean };
  failed: { readonly message: string };
}

export type Tell = <K extends keyof EngineEvents>(event: K, detail: EngineEvents[K]) => void;

export type ToEngine = {
  readonly id: number;
  readonly call: keyof EngineCalls;
  readonly input: readonly unknown[];
};
export type FromEngine =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string }
  | { [K in keyof EngineEvents]: { readonly event: K; readonly detail: EngineEvents[K] } }[keyof EngineEvents];
