import type { Profile } from "@longbox/gamify/api";
import { progress, t, locale } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { drawing } from "./drawings.js";

const weekdays = new Intl.DateTimeFormat(locale, { weekday: "narrow", timeZone: "UTC" });
const dates = new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });
const states = {
  read: "read",
  frozen: t("standing.aFreezeWasUsed"),
  missed: t("standing.nothingRead"),
  open: t("standing.todayNothingReadYet"),
};

export function levelPanel({ level, points, levelAt, nextLevelAt }: Profile): TemplateResult {
  return html`<section class="panel" aria-labelledby="level">
    <h2 id="level">${t("standing.level", { level })}</h2>
    <p class="soft">${t("standing.pointsSoFarOne", { points })}</p>
    ${progress({ label: t("standing.pointsToLevel", { level: level + 1 }), done: points - levelAt, total: nextLevelAt - levelAt })}
    <p class="label">${t("standing.pointsToLevel2", { nextLevelAt: nextLevelAt - points, level: level + 1 })}</p>
  </section>`;
}

export function streakPanel(
  { streak, tokens, freezeCost }: Profile,
  buy: TemplateResult | typeof nothing,
): TemplateResult {
  const { days, longest, freezes, recent } = streak;
  return html`<section class="panel" aria-labelledby="streak">
    <h2 id="streak">${days === 0 ? t("standing.noStreakYet") : t("standing.daysInARow", { days })}</h2>
    <p class="soft">${streakText(days, longest)}</p>
    <ol class="fortnight" aria-label=${t("standing.theLastTwoWeeks")}>
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
      <span class="label tokens">${drawing("token")} ${t("standing.tokens", { tokens })}</span>
      ${freezes < 2 && tokens >= freezeCost ? buy : nothing}
    </div>
  </section>`;
}

function streakText(days: number, longest: number): string {
  if (days === 0) return longest > 1 ? t("standing.yourLongestWasDays", { longest }) : t("standing.aPageTodayBegins");
  return longest > days ? t("standing.yourLongestWasDays2", { longest }) : t("standing.itIsYourLongest");
}

function freezesText(freezes: number): string {
  if (freezes === 0) return t("standing.everySevenDaysOf");
  return t("standing.freezesInStoreA", { freezes });
}
