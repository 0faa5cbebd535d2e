import type { Tell } from "../../protocol.js";
import type { Layout } from "@longbox/book-reader/api";
import { FootnoteHandler } from "foliate-js/footnotes.js";
import { bookStyles, themes } from "../rendering/styles.js";
import { word } from "../words.js";

const style = `
  dialog.longbox-note { box-sizing: border-box; width: min(36rem, calc(100% - 2rem)); max-height: 50%; margin: auto auto 1.5rem; padding: 0;
    border: 1px solid #8884; border-radius: 10px; box-shadow: 0 8px 32px #0006; overflow: hidden; }
  dialog.longbox-note::backdrop { background: #0003; }
  dialog.longbox-note .text { height: 12rem; margin-inline-end: 44px; }
  dialog.longbox-note button { position: absolute; inset-block-start: 4px; inset-inline-end: 4px; min-width: 40px; min-height: 40px;
    border: 0; background: none; color: inherit; font: 1.25rem/1 system-ui; cursor: pointer; z-index: 1; }
`;

/** Pixels above and below a note. */
const edge = 12;

/** Shows a footnote where it is referred to: in a small view of its own, over the text. */
export class Footnotes {
  readonly #dialog = document.createElement("dialog");
  readonly #layout: () => Layout | undefined;

  constructor(view: FoliateView, tell: Tell, layout: () => Layout | undefined) {
    this.#layout = layout;
    this.#dialog.className = "longbox-note";
    this.#dialog.setAttribute("aria-label", word("note"));
    const sheet = Object.assign(document.createElement("style"), { textContent: style });
    document.body.append(sheet, this.#dialog);
    this.#dialog.addEventListener("close", () => {
      this.#dialog.replaceChildren();
      tell("note", { open: false });
    });
    this.#dialog.addEventListener("click", (event) => event.target === this.#dialog && this.#dialog.close());
    const handler = new FootnoteHandler();
    handler.addEventListener("before-render", (event) =>
      this.#prepare((event as CustomEvent<{ view: FoliateView }>).detail.view),
    );
    handler.addEventListener("render", () => tell("note", { open: true }));
    view.addEventListener("link", (event) => {
      handler.handle(view.book, event)?.catch(() => {
        // It looked like a note and is none: the link is followed.
        this.#dialog.close();
        void view.goTo((event as CustomEvent<{ href: string }>).detail.href);
      });
    });
  }

  close(): void {
    this.#dialog.close();
  }

  #prepare(note: FoliateView): void {
    const layout = this.#layout();
    const close = Object.assign(document.createElement("button"), { type: "button", textContent: "×" });
    close.setAttribute("aria-label", word("closeNote"));
    close.addEventListener("click", () => this.#dialog.close());
    const text = document.createElement("div");
    text.className = "text";
    text.append(note);
    this.#dialog.replaceChildren(close, text);
    if (layout) {
      this.#dialog.style.background = themes[layout.theme].paper;
      this.#dialog.style.color = themes[layout.theme].ink;
      note.renderer.setStyles?.(bookStyles(layout));
    }
    for (const [name, value] of Object.entries({ flow: "scrolled", margin: `${edge}px`, gap: "8%" }))
      note.renderer.setAttribute(name, value);
    // As tall as the note, up to half of the page; the rest is scrolled.
    note.renderer.addEventListener("relocate", () => {
      const shown = note.renderer.getContents()[0]?.doc.documentElement.getBoundingClientRect().height ?? 0;
      text.style.height = `${Math.min(Math.ceil(shown) + 2 * edge, innerHeight / 2)}px`;
    });
    note.addEventListener("link", (event) => event.preventDefault());
    note.addEventListener("external-link", (event) => event.preventDefault());
    if (!this.#dialog.open) this.#dialog.showModal();
  }
}
