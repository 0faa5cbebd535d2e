import { t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import type { Reading } from "../reading.js";
import type { Neighbour } from "@longbox/reader/api";
import { icon } from "./icons.js";
import "./scrubber.js";

export interface TopActions {
  run(action: "close" | "note" | "fullscreen" | "help"): void;
  bookmark(): void;
  togglePanel(): void;
}

/** The top bar: the title and the actions. */
export function topBar(
  reading: Reading,
  state: { quiet: boolean; panelOpen: boolean },
  actions: TopActions,
): TemplateResult {
  const marked = reading.shown.some((page) => reading.bookmarks.includes(page));
  return html`<header class="bar top ${state.quiet ? "quiet" : ""}">
    <button class="plain" type="button" aria-label=${t("bars.closeTheReader")} @click=${() => actions.run("close")}>
      ${icon("close")}
    </button>
    ${heading(reading)}
    <button
      class="plain"
      type="button"
      aria-label=${t("bars.bookmark")}
      aria-pressed=${marked}
      @click=${() => actions.bookmark()}
    >
      ${icon("bookmark")}
    </button>
    ${noteButton(reading, actions)}
    <button
      class="plain"
      type="button"
      aria-label=${t("bars.howPagesAreShown")}
      aria-expanded=${state.panelOpen}
      @click=${() => actions.togglePanel()}
    >
      ${icon("view")}
    </button>
    ${document.fullscreenEnabled ? html`<button class="plain" type="button" aria-label=${t("bars.fullScreen")} aria-pressed=${document.fullscreenElement !== null} @click=${() => actions.run("fullscreen")}>${icon("full")}</button>` : nothing}
    ${helpButton(actions)}
  </header>`;
}

function helpButton(actions: TopActions): TemplateResult {
  return html`<button
    class="plain wide-only"
    type="button"
    aria-label=${t("bars.keysAndGestures")}
    @click=${() => actions.run("help")}
  >
    ${icon("help")}
  </button>`;
}

function heading({ issue, isPrivate }: Reading): TemplateResult {
  const { full, within } = issue.label;
  return html`<h1>
    ${isPrivate ? html`<span class="private">${t("bars.private")}</span> ` : nothing}<bdi>${full}</bdi>${within ? html`<small><bdi>${within}</bdi></small>` : nothing}
  </h1>`;
}

function noteButton(reading: Reading, actions: TopActions): TemplateResult {
  return html`<button
    class="plain"
    type="button"
    aria-label=${t("bars.noteOnThisPage")}
    aria-pressed=${reading.notes.textOf(reading.page) !== ""}
    @click=${() => actions.run("note")}
  >
    ${icon("note")}
  </button>`;
}

export interface BottomActions {
  openNeighbour(which: "previous" | "next"): void;
  goTo(page: number): void;
  overview(): void;
}

/**
 * The bottom bar: the current page, and links to other pages and issues, in the direction of the comic, whatever the
 * language is.
 */
export function bottomBar(reading: Reading, state: { quiet: boolean }, actions: BottomActions): TemplateResult {
  const { direction } = reading.choices;
  const [start, end] = direction === "rtl" ? (["next", "previous"] as const) : (["previous", "next"] as const);
  const turn = (which: "previous" | "next", shape: "back" | "forth") => {
    const label = neighbourLabel(which, reading.issue.neighbours[which]);
    return html`<button
      class="plain"
      type="button"
      aria-label=${label}
      title=${label}
      ?disabled=${!reading.issue.neighbours[which]}
      @click=${() => actions.openNeighbour(which)}
    >
      ${icon(shape)}
    </button>`;
  };
  return html`<footer dir="ltr" class="bar bottom ${state.quiet ? "quiet" : ""}">
    ${turn(start, "back")}
    <button
      class="plain count"
      type="button"
      title=${t("bars.allPages")}
      aria-label=${t("bars.allPagesOf", { count: countLabel(reading) })}
      @click=${() => actions.overview()}
    >
      ${countLabel(reading)}
    </button>
    <longbox-scrubber
      .page=${reading.page}
      .pageCount=${reading.issue.pageCount}
      .direction=${direction}
      .address=${reading.address}
      .bookmarks=${reading.bookmarks}
      @page=${(event: CustomEvent<number>) => actions.goTo(event.detail)}
    ></longbox-scrubber>
    ${turn(end, "forth")}
  </footer>`;
}

/** The announcement for screen readers when the page changes. @param part - of the page, such as `panel 2 of 5` */
export function pageLabel({ shown, issue }: Reading, part: string): string {
  const [first = 0, last = first] = shown;
  const pages =
    last === first ? t("bars.page", { first: first + 1 }) : t("bars.pagesAnd", { first: first + 1, last: last + 1 });
  const { pageCount } = issue;
  return part ? t("bars.ofWithPart", { pages, pageCount, part }) : t("bars.of", { pages, pageCount });
}

function countLabel({ shown, issue }: Reading): string {
  const [first = 0, last = first] = shown;
  return `${last === first ? first + 1 : `${first + 1}–${last + 1}`} / ${issue.pageCount}`;
}

function neighbourLabel(which: "previous" | "next", neighbour: Neighbour | null): string {
  if (!neighbour) return t("bars.nothingAfterThisOne", { whichWhich: which === "next" ? "yes" : "no" });
  return `${which === "next" ? t("bars.next") : t("bars.previous")}: ${neighbour.label.short}`;
}
