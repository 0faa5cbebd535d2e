import { duration, icon, percent } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { Speaking } from "./speaking.js";
import type { Session } from "./session.js";

export const panels = {
  contents: { label: "Contents", icon: "list" },
  search: { label: "Search", icon: "search" },
  notes: { label: "Notes", icon: "edit" },
  look: { label: "Appearance", icon: "settings" },
  speech: { label: "Voice", icon: "settings" },
  help: { label: "Keys and gestures", icon: "keyboard" },
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
    ${button({ label: "Close the book", icon: "back" }, close)}
    <h1>${session.title}</h1>
    ${panelButton("contents", open)} ${panelButton("search", open)} ${panelButton("notes", open)}
    <button
      type="button"
      class="plain"
      aria-label="Bookmark"
      title="Bookmark"
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
    aria-label="Read aloud"
    title="Read aloud"
    aria-pressed=${speaking.state === "speaking"}
    @click=${speak}
  >
    ${speaker}
  </button>`;
}

function listenButton({ audiobook }: Session, listen: () => void) {
  if (!audiobook) return nothing;
  const label = `Listen from here: ${audiobook.title}`;
  return html`<button type="button" class="plain" aria-label="Listen from here" title=${label} @click=${listen}>
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
  const pages = shown ? `page ${shown.page + 1} of ${shown.pages} · ${done}` : "";
  const words = [shown?.chapter ?? "", pages].filter(Boolean).join(" · ");
  return html`<footer class="bar">
    ${button({ label: opened.rightToLeft ? "The next page" : "The page before", icon: "next", kind: "turned" }, () => turn("left"))}
    <div class="place">
      <input
        type="range"
        aria-label="Place in the book"
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
    ${button({ label: opened.rightToLeft ? "The page before" : "The next page", icon: "next" }, () => turn("right"))}
  </footer>`;
}

/** An estimate from the length of the text; drawn pages have none. */
function timeLeft(minutes: number) {
  if (minutes < 1) return nothing;
  return html`<span class="wide">about ${minutes < 60 ? `${minutes} min` : duration(minutes * 60)} left</span>`;
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
  return html`<div class="float" role="group" aria-label="Reading aloud">
    <button type="button" @click=${() => skip("before")}>Back</button>
    <button type="button" class="primary" @click=${speak}>${isSpeaking ? "Pause" : "Go on"}</button>
    <button type="button" @click=${() => skip("after")}>Forward</button>
    <button type="button" @click=${() => open("speech")}>Voice</button>
    <button type="button" @click=${end}>Stop</button>
  </div>`;
}

/** The recording of the book itself. */
export function readAlongBar(
  session: Session,
  run: (command: "play" | "pause" | "next" | "previous") => void,
): TemplateResult {
  if (!session.opened.readAlong || session.speaking.state !== "off") return html``;
  return html`<div class="float" role="group" aria-label="Recording of the book">
    ${session.readAlong ? html`<button type="button" @click=${() => run("previous")}>Back</button>` : nothing}
    <button type="button" class="primary" @click=${() => run(session.readAlong ? "pause" : "play")}>
      ${session.readAlong ? "Pause" : "Read along"}
    </button>
    ${session.readAlong ? html`<button type="button" @click=${() => run("next")}>Forward</button>` : nothing}
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
