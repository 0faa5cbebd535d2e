import { element, LongboxElement, Resource, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { RunningState } from "@longbox/files/api";
import { style } from "./style.js";

/**
 * How far something is that runs on the server, and how it ended; nothing of what had ended before it was looked at.
 * Says `state`.
 */
@element("files-running")
export class FilesRunning extends LongboxElement {
  static override styles = [
    style,
    css`
      /* Nothing to say takes no room. */
      :host {
        display: contents;
      }
    `,
  ];
  @property() of = "";
  @property() domain = "";
  @property() label = "";
  readonly #state = new Resource<RunningState>(this, {
    path: () => this.of,
    domains: () => [this.domain],
    arrived: (state) => this.#arrived(state),
  });
  #before: { readonly startedAt: string | undefined } | undefined;

  override render(): unknown {
    return this.#state.render((state) => this.#show(state), { waiting: nothing, failed: () => nothing });
  }

  #arrived(state: RunningState): void {
    this.#before ??= { startedAt: state.running ? undefined : state.startedAt };
    this.dispatchEvent(new CustomEvent("state", { detail: state }));
  }

  #show(state: RunningState): TemplateResult | typeof nothing {
    const isOld = !state.running && (state.startedAt === undefined || state.startedAt === this.#before?.startedAt);
    if (isOld) return nothing;
    return html`<div class="running">
      <p role="status">
        <strong>${this.label}</strong>
        ${state.running ? html`<span class="tag busy">${t("running.running")}</span>` : html`<span class="tag ${state.error ? "bad" : "good"}">${state.error ? t("running.endedWithTrouble") : t("running.done")}</span>`}
        ${state.message ? html`<span class="soft">${this.longbox.said(state.message)}</span>` : nothing}
      </p>
      ${state.running ? html`<progress .max=${state.total || 1} .value=${state.total > 0 ? state.done : 0} aria-label=${this.label}></progress>` : nothing}
      ${state.total > 0 ? html`<p class="label">${t("running.of", { done: state.done, total: state.total })}</p>` : nothing}
      ${state.error ? html`<p class="problem">${this.longbox.said(state.error)}</p>` : nothing}
    </div>`;
  }
}
