import type { Layout } from "@longbox/book-reader/api";
import { choice, icon, t, toggle, valueOf } from "@longbox/sdk/ui";
import { html, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { Speaking } from "../page/speaking.js";
import type { Session } from "../page/session.js";

type Choices<K extends keyof Layout> = Readonly<Record<Extract<Layout[K], string>, string>>;

const flows: Choices<"flow"> = { book: t("look.asInTheBook"), paged: t("look.pages"), scrolled: t("look.scrolling") };
const themes: Choices<"theme"> = {
  paper: t("look.paper"),
  sepia: t("look.sepia"),
  dark: t("look.dark"),
  black: t("look.black"),
};
const fonts: Choices<"font"> = {
  book: t("look.fontsOfTheBook"),
  serif: t("look.serif"),
  sans: t("look.sansSerif"),
  mono: t("look.monospace"),
};
const alignments: Choices<"alignment"> = {
  book: t("look.asInTheBook"),
  justify: t("look.justified"),
  start: t("look.ragged"),
};
const columns = [
  [0, t("look.asManyAsFit")],
  [1, t("look.one")],
  [2, t("look.two")],
  [3, t("look.three")],
] as const;

/** How the book is shown; the choices are those of the user for all books. */
export function lookPanel(session: Session, openHelp: () => void): TemplateResult {
  const { layout, opened } = session;
  const set = (change: Partial<Layout>) => void session.setLayout(change);
  return html`<div class="stack look">
    ${themeChoice(layout.theme, (theme) => set({ theme }))}
    ${opened.fixedLayout ? html`<p class="soft">${t("look.thePagesOfThis")}</p>` : textChoices(session, set)}
    <button type="button" class="quiet" @click=${openHelp}>${icon("keyboard")}${t("look.keysAndGestures")}</button>
  </div>`;
}

function textChoices(session: Session, set: (change: Partial<Layout>) => void): TemplateResult {
  const { layout } = session;
  const sizes = [
    { label: t("look.size"), key: "fontSize", least: 50, most: 300, step: 10 },
    { label: t("look.lineSpacing"), key: "lineHeight", least: 100, most: 250, step: 10 },
    { label: t("look.margins"), key: "margin", least: 0, most: 25, step: 1 },
  ] as const;
  return html`${sizes.map(({ key, ...of }) =>
    range({ ...of, unit: "%", value: layout[key] }, (value, isKept) =>
      isKept ? set({ [key]: value }) : void session.preview({ [key]: value }),
    ),
  )}
  ${pick({ label: t("look.font"), labels: fonts, chosen: layout.font }, (font) => set({ font }))}
  ${pick({ label: t("look.textAs"), labels: flows, chosen: layout.flow }, (flow) => set({ flow }))}
  ${choice({ label: t("look.columns"), choices: columns }, layout.columns, (count) => set({ columns: count }))}
  ${pick({ label: t("look.alignment"), labels: alignments, chosen: layout.alignment }, (alignment) => set({ alignment }))}
  ${toggle(t("look.hyphenation"), layout.hyphenation, (hyphenation) => set({ hyphenation }))}`;
}

/** Each theme in its own colours. */
function themeChoice(chosen: Layout["theme"], changed: (theme: Layout["theme"]) => void): TemplateResult {
  return html`<fieldset class="themes">
    <legend>${t("look.theme")}</legend>
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
    ["", t("look.theBrowsers")] as const,
    ...voices.map(({ name, lang }) => [name, `${name} (${lang})`] as const),
  ];
  return html`<div class="stack">
    ${range({ label: t("look.rate"), unit: "×", value: layout.speechRate, least: 0.5, most: 3, step: 0.1 }, (speechRate, isKept) => isKept && void session.setSpeech({ speechRate }))}
    ${choice({ label: t("look.voice"), choices }, layout.voice, (voice) => void session.setSpeech({ voice }))}
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
