import type { Answer, Profile } from "@longbox/gamify/api";
import { element, LongboxElement, Resource, standard, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { drawing } from "./drawings.js";
import { drawingStyle } from "./style.js";

/** One line on the home page, for users who chose it. */
@element("gamify-summary")
export class GamifySummary extends LongboxElement {
  static override styles = [
    standard,
    drawingStyle,
    css`
      :host([hidden]) {
        display: none;
      }
      a {
        display: flex;
        flex-wrap: wrap;
        gap: var(--lb-space-2) var(--lb-space-5);
        color: inherit;
        text-decoration: none;
      }
      span {
        display: inline-flex;
        align-items: center;
        gap: var(--lb-space-2);
      }
    `,
  ];
  readonly #me = new Resource<Answer>(this, {
    path: "/api/gamify/me",
    domains: ["gamify"],
    arrived: (answer) => (this.hidden = !answer.ready || !answer.onHome),
  });

  /** Takes no place until it is known that it is wanted. */
  override connectedCallback(): void {
    super.connectedCallback();
    this.hidden = true;
  }

  override render(): TemplateResult | typeof nothing {
    const answer = this.#me.value;
    if (!answer?.ready || !answer.onHome) return nothing;
    return html`<a
      class="card"
      href="/quests"
      aria-label=${t("summary.quests", { answer: summaryOf(answer).join(", ") })}
    >
      ${summaryOf(answer).map((text, index) => html`<span>${drawing(["quests", "week", "goal"][index] ?? "quests")} ${text}</span>`)}
    </a>`;
  }
}

function summaryOf({ quests, streak, goal }: Profile): string[] {
  const done = quests.filter((quest) => quest.done).length;
  return [
    t("summary.ofQuestsCompleted", { done, quests: quests.length }),
    streak.days > 0 ? t("summary.daysInARow", { days: streak.days }) : t("summary.aPageTodayBegins"),
    ...(goal.target > 0 ? [t("summary.ofIn", { done: goal.done, target: goal.target, year: String(goal.year) })] : []),
  ];
}
