import type { Layout } from "@longbox/book-reader/api";
import { choice, icon, toggle, valueOf } from "@longbox/sdk/ui";
import { html, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { Speaking } from "../page/speaking.js";
import type { Session } from "../page/session.js";

type Choices<K extends keyof Layout> = Readonly<Record<Extract<Layout[K], string>, string>>;

const flows: Choices<"flow"> = { book: "As in the book", paged: "Pages", scrolled: "Scrolling" };
const themes: Choices<"theme"> = { paper: "Paper", sepia: "Sepia", dark: "Dark", black: "Black" };
const fonts: Choices<"font"> = { book: "Fonts of the book", serif: "Serif", sans: "Sans serif", mono: "Monospace" };
const alignments: Choices<"alignment"> = { book: "As in the book", justify: "Justified", start: "Ragged" };
const columns = [
  [0, "As many as fit"],
  [1, "One"],
  [2, "Two"],
  [3, "Three"],
] as const;

/** How the book is shown; the choices are those of the user for all books. */
export function lookPanel(session: Session, openHelp: () => void): TemplateResult {
  const { layout, opened } = session;
  const set = (change: Partial<Layout>) => void session.setLayout(change);
  return html`<div class="stack look">
    ${themeChoice(layout.theme, (theme) => set({ theme }))}
    ${
      opened.fixedLayout
        ? html`<p class="soft">The pages of this book have a fixed layout, which cannot be changed.</p>`
        : textChoices(session, set)
    }
    <button type="button" class="quiet" @click=${openHelp}>${icon("keyboard")}Keys and gestures</button>
  </div>`;
}

function textChoices(session: Session, set: (change: Partial<Layout>) => void): TemplateResult {
  const { layout } = session;
  const sizes = [
    { label: "Size", key: "fontSize", least: 50, most: 300, step: 10 },
    { label: "Line spacing", key: "lineHeight", least: 100, most: 250, step: 10 },
    { label: "Margins", key: "margin", least: 0, most: 25, step: 1 },
  ] as const;
  return html`${sizes.map(({ key, ...of }) =>
    range({ ...of, unit: "%", value: layout[key] }, (value, isKept) =>
      isKept ? set({ [key]: value }) : void session.preview({ [key]: value }),
    ),
  )}
  ${pick({ label: "Font", labels: fonts, chosen: layout.font }, (font) => set({ font }))}
  ${pick({ label: "Text as", labels: flows, chosen: layout.flow }, (flow) => set({ flow }))}
  ${choice({ label: "Columns", choices: columns }, layout.columns, (count) => set({ columns: count }))}
  ${pick({ label: "Alignment", labels: alignments, chosen: layout.alignment }, (alignment) => set({ alignment }))}
  ${toggle("Hyphenation", layout.hyphenation, (hyphenation) => set({ hyphenation }))}`;
}

/** Each theme in its own colours. */
function themeChoice(chosen: Layout["theme"], changed: (theme: Layout["theme"]) => void): TemplateResult {
  return html`<fieldset class="themes">
    <legend>Theme</legend>
    ${(Object.keys(themes) as Layout["theme"][]).map(
      (theme) =>
        html`<label data-theme=${theme}
          ><input
            type="radio"
            name="theme"
            value=${theme}
            .checked=${live(theme === chosen)}
            @change=${() => changed(theme)}
          />${themes[theme]}</label
        >`,
    )}
  </fieldset>`;
}

/** Rate and voice of reading aloud. */
export function speechPanel(session: Session): TemplateResult {
  const { layout } = session;
  const voices = Speaking.available ? speechSynthesis.getVoices() : [];
  const choices = [
    ["", "The browser's"] as const,
    ...voices.map(({ name, lang }) => [name, `${name} (${lang})`] as const),
  ];
  return html`<div class="stack">
    ${range({ label: "Rate", unit: "×", value: layout.speechRate, least: 0.5, most: 3, step: 0.1 }, (speechRate, isKept) => isKept && void session.setSpeech({ speechRate }))}
    ${choice({ label: "Voice", choices }, layout.voice, (voice) => void session.setSpeech({ voice }))}
  </div>`;
}

interface Pick<T extends string> {
  readonly label: string;
  readonly labels: Readonly<Record<T, string>>;
  readonly chosen: T;
}

function pick<T extends string>({ label, labels, chosen }: Pick<T>, changed: (value: T) => void): TemplateResult {
  const choices = (Object.keys(labels) as T[]).map((value) => [value, labels[value]] as const);
  return choice({ label, choices }, chosen, changed);
}

interface Range {
  readonly label: string;
  readonly unit: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly step: number;
}

/** @param changed - Told of each value, and of the last one once the user lets go */
function range(
  { label, unit, value, least, most, step }: Range,
  changed: (value: number, isKept: boolean) => void,
): TemplateResult {
  return html`<label class="field"
    ><span class="row spread">${label}<span aria-hidden="true">${value} ${unit}</span></span>
    <input
      type="range"
      aria-label=${label}
      aria-valuetext=${`${value} ${unit}`}
      min=${least}
      max=${most}
      step=${step}
      .value=${String(value)}
      @input=${(event: Event) => changed(Number(valueOf(event)), false)}
      @change=${(event: Event) => changed(Number(valueOf(event)), true)}
    />
  </label>`;
}
