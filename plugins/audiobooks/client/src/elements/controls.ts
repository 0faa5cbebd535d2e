import { icon, openMenu, rule, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { fastest, slowest } from "../player/choices.js";
import { backSeconds, forwardSeconds } from "../player/media-keys.js";
import type { Player } from "../player/player.js";
import type { Sleep } from "../player/sleep-timer.js";
import { clock, type Chapter } from "../player/timeline.js";
import "./position-slider.js";
import { glyph } from "./glyphs.js";

const rates = [0.5, 0.75, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.75, 2, 2.5, 3];
const sleepMinutes = [5, 10, 15, 30, 45, 60, 90];

export function playButton(player: Player): TemplateResult {
  const label = player.isPlaying ? t("controls.pause") : t("controls.play");
  return html`<button
    class="round primary play"
    aria-label=${label}
    aria-busy=${player.isWaiting ? "true" : "false"}
    title=${label}
    @click=${() => player.toggle()}
  >
    ${glyph(player.isPlaying ? "pause" : "play")}
  </button>`;
}

export function skipButtons(player: Player): readonly [back: TemplateResult, forward: TemplateResult] {
  const button = (seconds: number, label: string) =>
    html`<button class="round quiet skip" aria-label=${label} title=${label} @click=${() => player.skip(seconds)}>
      ${glyph(seconds < 0 ? "back" : "forward", String(Math.abs(seconds)))}
    </button>`;
  return [
    button(-backSeconds, t("controls.backSeconds", { backSeconds })),
    button(forwardSeconds, t("controls.forwardSeconds", { forwardSeconds })),
  ];
}

export function chapterButtons(player: Player): readonly [previous: TemplateResult, next: TemplateResult] {
  const button = (step: number, label: string) =>
    html`<button class="round quiet" aria-label=${label} title=${label} @click=${() => player.stepChapter(step)}>
      ${glyph(step < 0 ? "previous" : "next")}
    </button>`;
  return [button(-1, t("controls.previousChapter")), button(1, t("controls.nextChapter"))];
}

/** Where the listener is in the whole book, to be moved by pointer and keys. */
export function bookSlider(player: Player): TemplateResult {
  return slider(player, { label: t("controls.position"), start: 0, end: player.book?.timeline.duration ?? 0 });
}

/** Where the listener is in the chapter: in a long book, a hair of the other slider is minutes. */
export function chapterSlider(player: Player, { start, end }: Pick<Chapter, "start" | "end">): TemplateResult {
  return slider(player, { label: t("controls.inThisChapter"), start, end });
}

function slider(player: Player, { label, start, end }: { label: string; start: number; end: number }): TemplateResult {
  return html`<audiobooks-position
    label=${label}
    begin=${start}
    end=${end}
    position=${player.position}
    @seek=${({ detail }: CustomEvent<number>) => player.seek(detail)}
  ></audiobooks-position>`;
}

export function speedButton(player: Player): TemplateResult {
  const open = (event: Event) =>
    openMenu({
      label: t("controls.speed"),
      at: event.currentTarget as Element,
      items: rates
        .filter((rate) => rate >= slowest && rate <= fastest)
        .map((rate) => ({ label: `${rate}×`, isChecked: rate === player.rate, run: () => player.setRate(rate) })),
    });
  return html`<button
    class="quiet"
    aria-haspopup="menu"
    aria-label=${t("controls.speed2", { rate: player.rate })}
    title=${t("controls.speed")}
    @click=${open}
  >
    <span dir="ltr">${player.rate}×</span>
  </button>`;
}

export function sleepButton(player: Player): TemplateResult {
  const { sleep, secondsLeft } = player.sleep;
  const choose = (chosen: Sleep | undefined) => () => player.sleep.set(chosen);
  const open = (event: Event) =>
    openMenu({
      label: t("controls.sleepTimer"),
      at: event.currentTarget as Element,
      items: [
        { label: t("controls.off"), isChecked: sleep === undefined, run: choose(undefined) },
        rule,
        {
          label: t("controls.endOfTheChapter"),
          isChecked: sleep?.kind === "chapter",
          run: choose({ kind: "chapter" }),
        },
        ...sleepMinutes.map((minutes) => ({
          label: t("controls.minutes", { minutes }),
          isChecked: sleep?.kind === "minutes" && sleep.minutes === minutes,
          run: choose({ kind: "minutes", minutes }),
        })),
      ],
    });
  const left = secondsLeft === undefined ? undefined : clock(secondsLeft);
  const label = left === undefined ? t("controls.sleepTimer") : t("controls.sleepTimerLeft", { left });
  return html`<button
    class="quiet"
    aria-haspopup="menu"
    aria-label=${label}
    title=${t("controls.sleepTimer")}
    @click=${open}
  >
    ${icon("moon")}${left === undefined ? nothing : html`<span class="time">${left}</span>`}
  </button>`;
}

/** Phones have keys for it. */
export function volumeSlider(player: Player): TemplateResult {
  return html`<label class="volume" title=${t("controls.volume")}>
    ${glyph("volume")}
    <input
      type="range"
      dir="ltr"
      class="slider"
      min="0"
      max="1"
      step="0.05"
      aria-label=${t("controls.volume")}
      .value=${String(player.volume)}
      @input=${(event: Event) => player.setVolume((event.target as HTMLInputElement).valueAsNumber)}
    />
  </label>`;
}
