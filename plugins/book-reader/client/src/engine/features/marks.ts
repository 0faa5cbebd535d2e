import { Overlayer } from "foliate-js/overlayer.js";
import type { Mark, Tell } from "../../protocol.js";
import { boxOf } from "./boxes.js";
import { findPlace } from "../places/resolving.js";

const colors: Readonly<Record<string, string>> = {
  yellow: "#f2c400",
  green: "#4caf50",
  blue: "#3b8fe0",
  pink: "#e5588f",
  orange: "#f07c1c",
};

/** The key of a text that was found. */
const finding = "finding";

interface PlacedMark {
  readonly mark: Mark;
  readonly target: FoliateTarget;
}

/** The highlights of a book, drawn over the sections that are shown. */
export class Marks {
  readonly #view: FoliateView;
  #placed: readonly PlacedMark[] = [];
  #drawn: string[] = [];
  #setting = 0;

  constructor(view: FoliateView, tell: Tell) {
    this.#view = view;
    view.addEventListener("create-overlay", () => queueMicrotask(() => this.#draw()));
    view.addEventListener("load", (event) => {
      const { doc, index } = (event as CustomEvent<{ doc: Document; index: number }>).detail;
      doc.addEventListener("click", (click) => this.#tapped(click, index, tell), { capture: true });
    });
  }

  async set(marks: readonly Mark[]): Promise<void> {
    const setting = ++this.#setting;
    const placed: PlacedMark[] = [];
    for (const mark of marks) {
      const { cfi } = await findPlace(this.#view, mark);
      const target = cfi === undefined ? undefined : this.#view.resolveNavigation(cfi);
      if (target !== undefined) placed.push({ mark, target });
    }
    if (setting !== this.#setting) return;
    this.#placed = placed;
    this.#draw();
  }

  /** Marks a text that was found, in place of the one before. */
  showFinding(target: FoliateTarget): void {
    for (const { doc, index, overlayer } of this.#view.renderer.getContents()) {
      overlayer?.remove(finding);
      const range = index === target.index ? target.anchor?.(doc) : undefined;
      if (isRange(range) && !range.collapsed) overlayer?.add(finding, range, Overlayer.outline, { color: "#d9480f" });
    }
  }

  #draw(): void {
    for (const { doc, index, overlayer } of this.#view.renderer.getContents()) {
      if (overlayer === undefined) continue;
      for (const key of this.#drawn) overlayer.remove(key);
      const here = this.#placed.filter(({ target }) => target.index === index);
      this.#drawn = here.map(({ mark }) => keyOf(mark));
      for (const { mark, target } of here) {
        const range = target.anchor?.(doc);
        if (isRange(range) && !range.collapsed)
          overlayer.add(keyOf(mark), range, Overlayer.highlight, { color: colors[mark.color] ?? colors["yellow"] });
      }
    }
  }

  #tapped(click: MouseEvent, index: number, tell: Tell): void {
    const shown = this.#view.renderer.getContents().find((content) => content.index === index);
    const [key, range] = shown?.overlayer?.hitTest(click) ?? [];
    if (key === undefined || range === undefined || !key.startsWith("mark:")) return;
    click.stopImmediatePropagation();
    click.preventDefault();
    tell("markTapped", { id: Number(key.slice("mark:".length)), box: boxOf(range) });
  }
}

/** Ranges of a section are of its own realm, so that they are no instances of `Range` here. */
function isRange(target: unknown): target is Range {
  return typeof target === "object" && target !== null && "startContainer" in target;
}

const keyOf = ({ id }: Mark) => `mark:${id}`;
