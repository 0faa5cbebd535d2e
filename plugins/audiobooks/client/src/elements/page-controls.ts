import { percent, t, toggle } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import type { Player } from "../player/player.js";
import { clock } from "../player/timeline.js";
import {
  bookSlider,
  chapterButtons,
  chapterSlider,
  playButton,
  skipButtons,
  sleepButton,
  speedButton,
  volumeSlider,
} from "./controls.js";

/**
 * The controls of the page of a book: those of the chapter large, those of the whole book beneath them. What follows
 * time runs from left to right in every language, as the sliders do.
 */
export function pageControls(player: Player, skipSilences: (on: boolean) => void): TemplateResult {
  const [back, forward] = skipButtons(player);
  const [previous, next] = chapterButtons(player);
  return html`<div class="player" role="group" aria-label=${t("pageControls.player")}>
    ${chapterPlace(player)}
    <div class="row buttons" dir="ltr">${previous}${back}${playButton(player)}${forward}${next}</div>
    <div class="row choices">
      ${speedButton(player)}${sleepButton(player)}${volumeSlider(player)}
      ${toggle(t("pageControls.skipSilences"), player.skips, skipSilences)}
    </div>
    ${bookPlace(player)}
  </div>`;
}

/** A book without chapters has the slider of the whole alone. */
function chapterPlace(player: Player) {
  const { chapter, position, rate } = player;
  const chapters = player.book?.timeline.chapters ?? [];
  if (!chapter || chapters.length < 2) return nothing;
  return html`<p class="now">
      <span class="title">${chapter.title}</span>
      <span class="soft time"
        >${t("pageControls.of", { chapter: chapters.indexOf(chapter) + 1, chapters: chapters.length })}</span
      >
    </p>
    ${chapterSlider(player, chapter)}
    <div class="row spread" dir="ltr">
      <span class="time">${clock(position - chapter.start)}</span>
      <span class="time">−${clock((chapter.end - position) / rate)}</span>
    </div>`;
}

function bookPlace(player: Player) {
  const { position, rate } = player;
  const total = player.book?.timeline.duration ?? 0;
  return html`<div class="whole">
    ${bookSlider(player)}
    <div class="row spread soft" dir="ltr">
      <bdi class="time">${t("pageControls.of2", { position: clock(position), total: clock(total) })}</bdi>
      <span class="time">${percent(position, total)} · −${clock((total - position) / rate)}</span>
    </div>
  </div>`;
}
