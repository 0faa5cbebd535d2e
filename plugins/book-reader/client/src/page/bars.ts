import { duration, icon, percent, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { Speaking } from "./speaking.js";
import type { Session } from "./session.js";

export const panels = {
  contents: { label: t("bars.contents"), icon: "list" },
  search: { label: t("bars.search"), icon: "search" },
  notes: { label: t("bars.notes"), icon: "edit" },
  look: { label: t("bars.appearance"), icon: "settings" },
  speech: { label: t("bars.voice"), icon: "settings" },
  help: { label: t("bars.keysAndGestures"), icon: "keyboard" },
} as const;
export type Panel = keyof typeof panels;

/** A loudspeaker. */
const speaker = html`<svg
  class="icon"
  viewBox="0 0 24 24"
  aria-hidden="true"
  fill="none"
  stroke="currentColor"
  stroke-width="2"
>
  <path d="M4 9v6h4l5 4V5L8 9z"></path>
  <path d="M16.500 8.500a5 5 0 0 1 0 7" fill="none"></path>
  <path d="M19 6a8.500 8.500 0 0 1 0 12" fill="none"></path>
</svg>`;

/** Headphones. */
const headphones = html`<svg
  class="icon"
  viewBox="0 0 24 24"
  aria-hidden="true"
  fill="none"
  stroke="currentColor"
  stroke-width="2"
>
  <path d="M4 18v-6a8 8 0 0 1 16 0v6" fill="none"></path>
  <path d="M4 14h3v6H5.500A1.500 1.500 0 0 1 4 18.500zM20 14h-3v6h1.500a1.500 1.500 0 0 0 1.500-1.500z"></path>
</svg>`;

interface TopActions {
  close(): void;
  open(panel: Panel): void;
  bookmark(): void;
  speak(): void;
  listen(): void;
}

export function topBar(session: Session, { close, open, bookmark, speak, listen }: TopActions): TemplateResult {
  const { shown, highlights } = session;
  const marked = shown !== undefined && highlights.bookmarkAt(shown) !== undefined;
  return html`<header class="bar">
    ${button({ label: t("bars.closeTheBook"), icon: "back" }, close)}
    <h1>${session.title}</h1>
    ${panelButton("contents", open)} ${panelButton("search", open)} ${panelButton("notes", open)}
    <button
      type="button"
      class="plain"
      aria-label=${t("bars.bookmark")}
      title=${t("bars.bookmark")}
      aria-pressed=${marked}
      @click=${bookmark}
    >
      ${icon("bookmark")}
    </button>
    ${speakButton(session, speak)} ${listenButton(session, listen)} ${panelButton("look", open)}
    <span class="wide">${panelButton("help", open)}</span>
  </header>`;
}

function speakButton({ opened, speaking }: Session, speak: () => void) {
  if (!Speaking.available || opened.fixedLayout) return nothing;
  return html`<button
    type="button"
    class="plain"
    aria-label=${t("bars.readAloud")}
    title=${t("bars.readAloud")}
    aria-pressed=${speaking.state === "speaking"}
    @click=${speak}
  >
    ${speaker}
  </button>`;
}

function listenButton({ audiobook }: Session, listen: () => void) {
  if (!audiobook) return nothing;
  const label = t("bars.listenFromHere", { title: audiobook.title });
  return html`<button
    type="button"
    class="plain"
    aria-label=${t("bars.listenFromHere2")}
    title=${label}
    @click=${listen}
  >
    ${headphones}
  </button>`;
}

interface BottomActions {
  turn(to: "left" | "right"): void;
  goTo(fraction: number): void;
}

export function bottomBar(session: Session, { turn, goTo }: BottomActions): TemplateResult {
  const { shown, opened } = session;
  const done = percent(Math.round((shown?.fraction ?? 0) * 1000) / 10, 100);
  const pages = shown ? t("bars.pageOf", { page: shown.page + 1, pages: shown.pages, done }) : "";
  const words = [shown?.chapter ?? "", pages].filter(Boolean).join(" · ");
  return html`<footer class="bar">
    ${button({ label: opened.rightToLeft ? t("bars.theNextPage") : t("bars.thePageBefore"), icon: "next", kind: "turned" }, () => turn("left"))}
    <div class="place">
      <input
        type="range"
        aria-label=${t("bars.placeInTheBook")}
        aria-valuetext=${words}
        min="0"
        max="1000"
        dir=${opened.rightToLeft ? "rtl" : "ltr"}
        .value=${String(Math.round((shown?.fraction ?? 0) * 1000))}
        @change=${(event: Event) => goTo(Number((event.target as HTMLInputElement).value) / 1000)}
      />
      <p class="soft">
        <span class="chapter">${shown?.chapter ?? ""}</span><span>${pages}</span>
        ${timeLeft(shown?.minutesLeft ?? 0)}
      </p>
    </div>
    ${button({ label: opened.rightToLeft ? t("bars.thePageBefore") : t("bars.theNextPage"), icon: "next" }, () => turn("right"))}
  </footer>`;
}

/** An estimate from the length of the text; drawn pages have none. */
function timeLeft(minutes: number) {
  if (minutes < 1) return nothing;
  return html`<span class="wide"
    >${t("bars.aboutLeft", { value: minutes < 60 ? t("bars.min", { minutes }) : duration(minutes * 60) })}</span
  >`;
}

interface SpeechActions {
  speak(): void;
  skip(to: "after" | "before"): void;
  end(): void;
  open(panel: Panel): void;
}

/** While the book is read aloud. */
export function speechBar({ speaking }: Session, { speak, skip, end, open }: SpeechActions): TemplateResult {
  if (speaking.state === "off") return html``;
  const isSpeaking = speaking.state === "speaking";
  return html`<div class="float" role="group" aria-label=${t("bars.readingAloud")}>
    <button type="button" @click=${() => skip("before")}>${t("bars.back")}</button>
    <button type="button" class="primary" @click=${speak}>${isSpeaking ? t("bars.pause") : t("bars.goOn")}</button>
    <button type="button" @click=${() => skip("after")}>${t("bars.forward")}</button>
    <button type="button" @click=${() => open("speech")}>${t("bars.voice")}</button>
    <button type="button" @click=${end}>${t("bars.stop")}</button>
  </div>`;
}

/** The recording of the book itself. */
export function readAlongBar(
  session: Session,
  run: (command: "play" | "pause" | "next" | "previous") => void,
): TemplateResult {
  if (!session.opened.readAlong || session.speaking.state !== "off") return html``;
  return html`<div class="float" role="group" aria-label=${t("bars.recordingOfTheBook")}>
    ${session.readAlong ? html`<button type="button" @click=${() => run("previous")}>${t("bars.back")}</button>` : nothing}
    <button type="button" class="primary" @click=${() => run(session.readAlong ? "pause" : "play")}>
      ${session.readAlong ? t("bars.pause") : t("bars.readAlong")}
    </button>
    ${session.readAlong ? html`<button type="button" @click=${() => run("next")}>${t("bars.forward")}</button>` : nothing}
  </div>`;
}

function panelButton(panel: Panel, open: (panel: Panel) => void): TemplateResult {
  return button(panels[panel], () => open(panel), true);
}

interface IconButton {
  readonly label: string;
  readonly icon: string;
  readonly kind?: string;
}

function button({ label, icon: name, kind = "" }: IconButton, run: () => void, opens = false) {
  return html`<button
    type="button"
    class="plain ${kind}"
    aria-label=${label}
    title=${label}
    aria-haspopup=${opens ? "dialog" : nothing}
    @click=${run}
  >
    ${icon(name)}
  </button>`;
}
