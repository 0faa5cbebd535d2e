import type { Achievement } from "@longbox/gamify/api";
import { day, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { wordsOfAchievement } from "./achievement-words.js";
import { medal } from "./drawings.js";

/** How many that are not earned yet are shown at first. */
const nearest = 6;

interface Opening {
  readonly isOpen: boolean;
  readonly open: () => void;
}

/** Achievements: those that are earned, the last one first, then those that are nearest, or all. */
export function achievementWall(achievements: readonly Achievement[], { isOpen, open }: Opening): TemplateResult {
  const sorted = achievements.toSorted(compare);
  const earned = sorted.filter(({ earnedAt }) => earnedAt !== undefined).length;
  const shown = isOpen ? sorted : sorted.slice(0, earned + nearest);
  return html`<section aria-labelledby="achievements">
    <h2 id="achievements">${t("achievements.achievements")}</h2>
    <p class="label">${t("achievements.of", { earned, achievements: achievements.length })}</p>
    <ul class="medals">
      ${shown.map(achievementOf)}
    </ul>
    ${
      shown.length === sorted.length
        ? nothing
        : html`<div class="row">
            <button type="button" @click=${open}>${t("achievements.showAll", { sorted: sorted.length })}</button>
          </div>`
    }
  </section>`;
}

function achievementOf(achievement: Achievement): TemplateResult {
  const { id, earnedAt, progress = 0, target = 1 } = achievement;
  const { title, description } = wordsOfAchievement(achievement);
  const state = earnedAt === undefined ? t("achievements.of2", { progress, target }) : day(earnedAt);
  return html`<li class=${earnedAt === undefined ? "" : "earned"}>
    ${medal(id, earnedAt !== undefined)}
    <h3>${title}</h3>
    <p class="soft">${description}</p>
    <p class="label">
      ${earnedAt === undefined ? state : html`<span class="hidden">${t("achievements.earnedOn")} </span>${state}`}
    </p>
  </li>`;
}

function compare(one: Achievement, other: Achievement): number {
  if (one.earnedAt !== undefined && other.earnedAt !== undefined) return one.earnedAt < other.earnedAt ? 1 : -1;
  if (one.earnedAt !== undefined || other.earnedAt !== undefined) return one.earnedAt === undefined ? 1 : -1;
  return shareOf(other) - shareOf(one);
}

function shareOf({ progress = 0, target = 1 }: Achievement): number {
  return progress / target;
}
