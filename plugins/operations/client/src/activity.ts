import type { Job } from "@longbox/operations/api";
import { Action, duration, element, icon, LongboxElement, Resource, standard, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

/** How many jobs are listed; the page of jobs shows all. */
const most = 6;

/** What the server is doing, in the frame of every page: a button while jobs run or wait, with the list behind it. */
@element("operations-activity")
export class OperationsActivity extends LongboxElement {
  static override styles = [
    standard,
    css`
      .opener {
        position: relative;
        display: grid;
        place-items: center;
        width: 2.5rem;
        height: 2.5rem;
        padding: 0;
        border: 0;
        border-radius: 999px;
        background: none;
        color: var(--lb-accent);
      }
      .opener:hover {
        background: var(--lb-raised);
      }
      .opener svg {
        width: 1.5rem;
        height: 1.5rem;
      }
      .opener::after {
        content: "";
        position: absolute;
        inset: 2px;
        border: 2px solid var(--lb-line);
        border-top-color: var(--lb-accent);
        border-radius: 50%;
        animation: turn 1.4s linear infinite;
      }
      @keyframes turn {
        to {
          rotate: 1turn;
        }
      }
      [popover] {
        position: fixed;
        inset: 3.75rem var(--lb-space-4) auto auto;
        width: min(24rem, calc(100vw - 2 * var(--lb-space-4)));
        max-height: calc(100dvh - 6rem);
        margin: 0;
        padding: var(--lb-space-4);
        overflow: auto;
        border: 1px solid var(--lb-line);
        border-radius: var(--lb-radius-l);
        background: var(--lb-raised);
        color: var(--lb-ink);
        box-shadow: var(--lb-shadow-2);
      }
      ul {
        display: grid;
        gap: var(--lb-space-3);
        margin: var(--lb-space-3) 0;
      }
      progress {
        width: 100%;
      }
      @media (prefers-reduced-motion: reduce) {
        .opener::after {
          animation: none;
        }
      }
    `,
  ];
  readonly #jobs = new Resource<readonly Job[]>(this, { path: "/api/jobs?limit=50", domains: ["jobs"] });
  readonly #action = new Action(this, { notify: true, after: () => this.#jobs.refresh() });

  override render(): unknown {
    const live = (this.#jobs.value ?? []).filter(({ state }) => state === "running" || state === "queued");
    if (live.length === 0) return nothing;
    const label = t("activity.activityOther", { jobs: live.length });
    return html`<button class="opener" type="button" popovertarget="jobs" aria-label=${label} title=${label}>
        ${icon("pulse")}
      </button>
      <div id="jobs" popover role="group" aria-labelledby="heading">
        <h2 id="heading">${t("activity.activity")}</h2>
        <ul>
          ${repeat(
            live.slice(0, most),
            (job) => job.id,
            (job) => this.#line(job),
          )}
        </ul>
        <p class="row spread">
          <a href="/operations/jobs">${t("activity.allJobs")}</a>
          ${live.length > most ? html`<span class="label">${t("activity.andMore", { more: live.length - most })}</span>` : nothing}
        </p>
      </div>`;
  }

  #line(job: Job): TemplateResult {
    const isKnown = job.state === "running" && job.total > 0;
    const left = job.estimateSeconds === undefined ? "" : t("activity.left", { time: duration(job.estimateSeconds) });
    const figures = isKnown ? t("activity.of", { done: job.done, total: job.total }) : "";
    const state = job.state === "queued" ? t("activity.waiting") : (job.message ?? "");
    return html`<li>
      <div class="row spread">
        <strong>${job.title}</strong>
        <button
          class="quiet"
          type="button"
          aria-label=${t("activity.cancel", { job: job.title })}
          ?disabled=${this.#action.busy}
          @click=${() => this.#action.run(() => this.post(`/api/jobs/${job.id}/cancel`))}
        >
          ${t("activity.cancel2")}
        </button>
      </div>
      ${
        job.state === "queued"
          ? nothing
          : isKnown
            ? html`<progress
                aria-label=${t("activity.progressOf", { job: job.title })}
                max=${job.total}
                value=${job.done}
              ></progress>`
            : html`<progress aria-label=${t("activity.progressOf", { job: job.title })}></progress>`
      }
      <p class="label">${[state, figures, left].filter(Boolean).join(" · ")}</p>
    </li>`;
  }
}
