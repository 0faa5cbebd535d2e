import type { Answer, Profile, Quest } from "@longbox/gamify/api";
import {
  Action,
  element,
  field,
  LongboxElement,
  notice,
  progress,
  Resource,
  skeleton,
  submitted,
  t,
  toggle,
} from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { achievementWall } from "./achievements.js";
import "./leaderboard.js";
import { questCard, untilText } from "./quest-card.js";
import { levelPanel, streakPanel } from "./standing.js";
import { style } from "./style.js";

const here = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `/quests`: what a user has reached, this week's quests, achievements, and the month's leaderboard. */
@element("gamify-page")
export class GamifyPage extends LongboxElement {
  static override styles = style;
  @state() private isPlanning = false;
  @state() private hasAllMedals = false;
  readonly #me = new Resource<Answer>(this, {
    path: "/api/gamify/me",
    domains: ["gamify"],
    arrived: (answer) => this.#chooseZoneOnce(answer),
  });
  readonly #action = new Action(this, { notify: true, after: () => this.#me.refresh() });

  override render(): TemplateResult {
    return html`<div class="page-head"><h1>${t("page.quests")}</h1></div>
      ${this.#me.render((answer) => (answer.ready ? this.#shown(answer) : off(answer)), { waiting: skeleton() })}`;
  }

  #shown(profile: Profile): TemplateResult {
    return html`${this.#quests(profile)}
      <div class="panels">
        ${streakPanel(profile, this.#freezeButton(profile))} ${levelPanel(profile)} ${this.#goal(profile)}
      </div>
      ${achievementWall(profile.achievements, { isOpen: this.hasAllMedals, open: () => (this.hasAllMedals = true) })}
      ${profile.leaderboard ? this.#leaderboard(profile) : nothing} ${this.#choices(profile)}`;
  }

  #quests({ quests, rerollsLeft }: Profile): TemplateResult {
    const swap = (quest: Quest) =>
      void this.#action.run(() => this.post("/api/gamify/reroll", { questId: quest.id }), t("page.hereIsAnotherQuest"));
    const swapping = { isPossible: rerollsLeft > 0, isBusy: this.#action.busy, swap };
    return html`<section aria-labelledby="week">
      <div class="row spread">
        <h2 id="week">${t("page.thisWeek")}</h2>
        <p class="label">
          ${quests.length === 0 ? nothing : html`${t("page.swapsLeft", { quests: untilText(quests), rerollsLeft })}`}
        </p>
      </div>
      ${
        quests.length === 0
          ? html`<p class="soft">${t("page.thereIsNothingTo")}</p>`
          : html`<ul class="quests">
              ${quests.map((quest) => questCard(quest, swapping))}
            </ul>`
      }
    </section>`;
  }

  #freezeButton({ freezeCost }: Profile): TemplateResult {
    const buy = () => void this.#action.run(() => this.post("/api/gamify/freeze"), t("page.aFreezeIsYours"));
    return html`<button class="small" type="button" ?disabled=${this.#action.busy} @click=${buy}>
      ${t("page.getAFreezeFor", { freezeCost })}
    </button>`;
  }

  #goal({ goal: { year, target, done } }: Profile): TemplateResult {
    const isSet = target > 0;
    return html`<section class="panel" aria-labelledby="goal">
      <h2 id="goal">
        ${t("page.in", { value: isSet ? t("page.of", { done, target }) : t("page.finished", { done }), year: String(year) })}
      </h2>
      <p class="soft">${goalText(target, done)}</p>
      ${isSet ? progress({ label: t("page.yourGoalForThe"), done, total: target }) : nothing}
      ${
        this.isPlanning
          ? this.#goalForm(target)
          : html`<div class="row">
              <button class="small" type="button" @click=${() => (this.isPlanning = true)}>
                ${isSet ? t("page.changeTheGoal") : t("page.setAGoal")}
              </button>
            </div>`
      }
    </section>`;
  }

  #goalForm(target: number): TemplateResult {
    const send = async (event: Event) => {
      const { target: wanted } = submitted(event);
      const isGood = await this.#action.run(() => this.post("/api/gamify/goal", { target: Number(wanted) || 0 }));
      if (isGood) this.isPlanning = false;
    };
    return html`<form class="row" @submit=${send}>
      ${field({ name: "target", label: t("page.itemsToFinishThis"), type: "number", value: target === 0 ? "" : String(target), hint: t("page.emptyOr0No") })}
      <button class="primary" ?disabled=${this.#action.busy}>${t("page.save")}</button>
      <button class="quiet" type="button" @click=${() => (this.isPlanning = false)}>${t("page.cancel")}</button>
    </form>`;
  }

  #leaderboard({ optOut }: Profile): TemplateResult {
    const choose = (isShown: boolean) => this.#action.run(() => this.post("/api/gamify/optout", { optOut: !isShown }));
    return html`<section aria-labelledby="leaderboard">
      <h2 id="leaderboard">${t("page.thisMonth")}</h2>
      <gamify-leaderboard .longbox=${this.longbox}></gamify-leaderboard>
      ${toggle(t("page.showMeOnThe"), !optOut, choose)}
    </section>`;
  }

  #choices({ onHome, timeZone }: Profile): TemplateResult {
    const show = (isShown: boolean) =>
      this.#action.run(() => this.post("/api/gamify/preferences", { onHome: isShown }));
    const move = () => void this.#action.run(() => this.post("/api/gamify/preferences", { timeZone: here }));
    return html`<section aria-labelledby="choices">
      <h2 id="choices">${t("page.yoursToChoose")}</h2>
      ${toggle(t("page.showASummaryOn"), onHome, show)}
      <p class="soft">
        ${t("page.yourDaysFollowThe", { timeZone: timeZone ?? "UTC" })}
        ${timeZone === null || timeZone === here ? nothing : html`<button class="small" type="button" @click=${move}>${t("page.use", { here })}</button>`}
      </p>
    </section>`;
  }

  /** The first visit decides the time zone; later a user decides. */
  #chooseZoneOnce(answer: Answer): void {
    if (answer.ready && answer.timeZone === null)
      void this.#action.run(() => this.post("/api/gamify/preferences", { timeZone: here }));
  }
}

function goalText(target: number, done: number): string {
  if (target === 0) return t("page.aGoalForThe");
  if (done >= target) return t("page.youHaveReachedYour");
  return t("page.itemsToGo", { target: target - done });
}

const causes: Readonly<Record<string, string>> = {
  quests: t("page.offQuests"),
  reading: t("page.offReading"),
  reader: t("page.offReader"),
};

function off({ cause, reason }: Extract<Answer, { ready: false }>): TemplateResult {
  return notice({ heading: t("page.noQuestsAtThe"), text: causes[cause] ?? reason, drawing: "box" });
}
