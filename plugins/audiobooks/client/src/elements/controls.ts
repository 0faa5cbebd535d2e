import { icon, openMenu, rule } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { fastest, slowest } from "../player/choices.js";
import { backSeconds, forwardSeconds } from "../player/media-keys.js";
import type { Player } from "../player/player.js";
import type { Sleep } from "../player/sleep-timer.js";
import { clock } from "../player/timeline.js";
import { glyph } from "./glyphs.js";

const rates = [0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3];
const sleepMinutes = [5, 10, 15, 30, 45, 60];

export function playButton(player: Player): TemplateResult {
  const label = player.isPlaying ? "Pause" : "Play";
  return html`<button class="round primary play" aria-label=${label} title=${label} @click=${() => player.toggle()}>
    ${glyph(player.isPlaying ? "pause" : "play")}
  </button>`;
}

export function skipButtons(player: Player): readonly [back: TemplateResult, forward: TemplateResult] {
  const button = (seconds: number, label: string) =>
    html`<button class="round quiet skip" aria-label=${label} title=${label} @click=${() => player.skip(seconds)}>
      ${glyph(seconds < 0 ? "back" : "forward")}
    </button>`;
  return [
    button(-backSeconds, `Back ${backSeconds} seconds`),
    button(forwardSeconds, `Forward ${forwardSeconds} seconds`),
  ];
}

export function chapterButtons(player: Player): readonly [previous: TemplateResult, next: TemplateResult] {
  const button = (step: number, label: string) =>
    html`<button class="round quiet" aria-label=${label} title=${label} @click=${() => player.stepChapter(step)}>
      ${glyph(step < 0 ? "previous" : "next")}
    </button>`;
  return [button(-1, "Chapter before"), button(1, "Next chapter")];
}

/** Where the listener is, to be moved by pointer and keys. */
export function slider(player: Player): TemplateResult {
  const duration = player.book?.timeline.duration ?? 0;
  const moved = (event: Event) => player.seek((event.target as HTMLInputElement).valueAsNumber);
  return html`<input
    type="range"
    class="slider"
    min="0"
    max=${duration}
    step="1"
    aria-label="Position"
    aria-valuetext=${`${clock(player.position)} of ${clock(duration)}`}
    .value=${String(Math.floor(player.position))}
    @change=${moved}
  />`;
}

export function speedButton(player: Player): TemplateResult {
  const open = (event: Event) =>
    openMenu({
      label: "Speed",
      at: event.currentTarget as Element,
      items: rates
        .filter((rate) => rate >= slowest && rate <= fastest)
        .map((rate) => ({ label: `${rate}×`, isChecked: rate === player.rate, run: () => player.setRate(rate) })),
    });
  return html`<button
    class="quiet"
    aria-haspopup="menu"
    aria-label=${`Speed, ${player.rate}×`}
    title="Speed"
    @click=${open}
  >
    ${player.rate}×
  </button>`;
}

export function sleepButton(player: Player): TemplateResult {
  const { sleep, secondsLeft } = player.sleep;
  const choose = (chosen: Sleep | undefined) => () => player.sleep.set(chosen);
  const open = (event: Event) =>
    openMenu({
      label: "Sleep timer",
      at: event.currentTarget as Element,
      items: [
        { label: "Off", isChecked: sleep === undefined, run: choose(undefined) },
        rule,
        { label: "End of the chapter", isChecked: sleep?.kind === "chapter", run: choose({ kind: "chapter" }) },
        ...sleepMinutes.map((minutes) => ({
          label: `${minutes} minutes`,
          isChecked: sleep?.kind === "minutes" && sleep.minutes === minutes,
          run: choose({ kind: "minutes", minutes }),
        })),
      ],
    });
  const left = secondsLeft === undefined ? undefined : clock(secondsLeft);
  const label = left === undefined ? "Sleep timer" : `Sleep timer, ${left} left`;
  return html`<button class="quiet" aria-haspopup="menu" aria-label=${label} title="Sleep timer" @click=${open}>
    ${icon("moon")}${left === undefined ? nothing : html`<span class="time">${left}</span>`}
  </button>`;
}
