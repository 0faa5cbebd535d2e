import type { Quest } from "@longbox/gamify/api";
import { cover, fromNow, icon, number, progress, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { drawing } from "./drawings.js";
import { wordsOfQuest } from "./quest-words.js";

interface Swapping {
  readonly isPossible: boolean;
  readonly isBusy: boolean;
  readonly swap: (quest: Quest) => void;
}

/** A quest of this week. */
export function questCard(quest: Quest, swapping: Swapping): TemplateResult {
  const { progress: done, target, reward, done: isDone } = quest;
  const { title, description } = wordsOfQuest(quest);
  const name = html`<h3>${quest.href === undefined ? title : html`<a href=${quest.href}>${title}</a>`}</h3>`;
  return html`<li class="quest ${isDone ? "done" : ""}">
    <div class="picture">${pictureOf(quest)}</div>
    <div class="about">
      ${name}
      <p class="soft">${description}</p>
      ${isDone ? html`<p class="stamp">${icon("check")} ${t("questCard.completed")}</p>` : progress({ label: t("questCard.howFar", { title }), done, total: target })}
      <div class="row spread foot">
        <span class="label">${isDone ? nothing : t("questCard.of", { done, target })}</span>
        <span class="label tokens"
          >${drawing("token")} ${number(reward)}<span class="hidden"> ${t("questCard.tokens")}</span></span
        >
        ${isDone ? nothing : swapButton(quest, swapping)}
      </div>
    </div>
  </li>`;
}

function pictureOf(quest: Quest): TemplateResult {
  if (quest.cover !== undefined) return cover({ path: quest.cover, title: wordsOfQuest(quest).title });
  return html`<span class="emblem">${drawing(quest.done ? "first-finish" : "quests")}</span>`;
}

function swapButton(quest: Quest, { isPossible, isBusy, swap }: Swapping): TemplateResult | typeof nothing {
  if (!isPossible) return nothing;
  return html`<button
    class="quiet small"
    type="button"
    aria-label=${t("questCard.swapTheQuest", { title: wordsOfQuest(quest).title })}
    title=${t("questCard.anotherQuestInsteadOf")}
    ?disabled=${isBusy}
    @click=${() => swap(quest)}
  >
    ${icon("scan")} ${t("questCard.swap")}
  </button>`;
}

/** Until when the quests of this week stand. */
export function untilText(quests: readonly Quest[]): string {
  const end = quests[0]?.endsAt;
  return end === undefined ? "" : t("questCard.newQuests", { end: fromNow(end) });
}
