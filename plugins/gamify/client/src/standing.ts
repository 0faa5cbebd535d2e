import type { Profile } from "@longbox/gamify/api";
import { count, number, progress } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { drawing } from "./drawings.js";

const weekdays = new Intl.DateTimeFormat(undefined, { weekday: "narrow", timeZone: "UTC" });
const dates = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });
const states = { read: "read", frozen: "a freeze was used", missed: "nothing read", open: "today, nothing read yet" };

export function levelPanel({ level, points, levelAt, nextLevelAt }: Profile): TemplateResult {
  return html`<section class="panel" aria-labelledby="level">
    <h2 id="level">Level ${number(level)}</h2>
    <p class="soft">${count(points, "point")} so far: one for each page or two minutes, ten for finishing something.</p>
    ${progress({ label: `Points to level ${level + 1}`, done: points - levelAt, total: nextLevelAt - levelAt })}
    <p class="label">${count(nextLevelAt - points, "point")} to level ${number(level + 1)}</p>
  </section>`;
}

export function streakPanel(
  { streak, tokens, freezeCost }: Profile,
  buy: TemplateResult | typeof nothing,
): TemplateResult {
  const { days, longest, freezes, recent } = streak;
  return html`<section class="panel" aria-labelledby="streak">
    <h2 id="streak">${days === 0 ? "No streak yet" : `${count(days, "day")} in a row`}</h2>
    <p class="soft">${streakText(days, longest)}</p>
    <ol class="fortnight" aria-label="The last two weeks">
      ${recent.map(({ day, state }) => {
        const date = Date.parse(day);
        return html`<li class=${state}>
          <i>${state === "frozen" ? drawing("freeze") : nothing}</i
          ><span aria-hidden="true">${weekdays.format(date)}</span>
          <span class="hidden">${dates.format(date)}: ${states[state]}</span>
        </li>`;
      })}
    </ol>
    <p class="freezes">${drawing("freeze")} ${freezesText(freezes)}</p>
    <div class="row">
      <span class="label tokens">${drawing("token")} ${count(tokens, "token")}</span>
      ${freezes < 2 && tokens >= freezeCost ? buy : nothing}
    </div>
  </section>`;
}

function streakText(days: number, longest: number): string {
  if (days === 0)
    return longest > 1
      ? `Your longest was ${count(longest, "day")}. A page today begins another.`
      : "A page today begins one.";
  return longest > days ? `Your longest was ${count(longest, "day")}.` : "It is your longest.";
}

function freezesText(freezes: number): string {
  if (freezes === 0) return "Every seven days of reading bring a freeze, which saves a streak from a missed day.";
  return `${count(freezes, "freeze")} in store: a missed day uses one up, and the streak goes on.`;
}
