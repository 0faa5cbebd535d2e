import type { Activity } from "@longbox/sdk/client";
import { Action, duration, fromNow, LongboxElement, standard, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { Reach } from "../offline/connection.js";
import type { Shell } from "../shell/shell.js";
import { awayNotice, sections } from "./away-notice.js";
import type { FoundActivity } from "./followed-activity.js";

type Item = Activity["items"][number];

/** What is behind the indicator of the frame. Dispatches `done` when a link in it was followed. */
@customElement("lb-activity-panel")
export class ActivityPanel extends LongboxElement<object, Shell> {
  @property({ attribute: false }) found: readonly FoundActivity[] = [];
  @property() reach: Reach = "here";
  readonly #action = new Action(this, { notify: true });

  static override styles = [
    standard,
    sections,
    css`
      :host {
        display: grid;
        gap: var(--lb-space-5);
      }
      ul {
        display: grid;
        gap: var(--lb-space-3);
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: grid;
        gap: var(--lb-space-1);
        overflow-wrap: anywhere;
      }
      .spread > :first-child {
        flex: 1;
        min-width: 0;
      }
      .facts {
        color: var(--lb-ink-soft);
        font-size: var(--lb-text-s);
      }
      progress {
        width: 100%;
      }
    `,
  ];

  override render(): TemplateResult {
    const some = this.found.filter(({ activity }) => activity.count > 0);
    return html`${this.reach === "here" ? nothing : awayNotice(this.reach, (inside) => this.#link("/offline", inside))}
    ${some.map((one) => this.#section(one))}
    ${
      some.length === 0
        ? html`<section>
            ${this.reach === "here" ? html`<p class="soft">${t("activity.nothing")}</p>` : nothing}
            <p class="row">${this.found.map(({ source }) => this.#link(source.href, source.title))}</p>
          </section>`
        : nothing
    }`;
  }

  #section({ source, activity }: FoundActivity): TemplateResult {
    const more = activity.count - activity.items.length;
    return html`<section aria-labelledby=${source.path}>
      <div class="row spread">
        <h2 id=${source.path}>${source.title}</h2>
        <a href=${source.href} aria-label=${t("activity.allOf", { title: source.title })} @click=${this.#done}
          >${t("activity.all")}</a
        >
      </div>
      <ul>
        ${repeat(
          activity.items,
          ({ id }) => id,
          (item) => this.#item(item, source.kind === "work"),
        )}
      </ul>
      ${more > 0 ? html`<p class="label">${t("activity.andMore", { more })}</p>` : nothing}
    </section>`;
  }

  #item(item: Item, isWork: boolean): TemplateResult {
    const { title, href, progress, secondsLeft, at, message, cancel, seen } = item;
    const isKnown = progress !== undefined && progress.total > 0;
    const facts = [
      isWork && progress === undefined ? t("activity.waiting") : message,
      isKnown ? t("activity.of", { done: progress.done, total: progress.total }) : undefined,
      secondsLeft === undefined ? undefined : t("activity.left", { time: duration(secondsLeft) }),
      at === undefined ? undefined : fromNow(at),
    ];
    return html`<li>
      <div class="row spread">
        ${href === undefined ? html`<strong>${title}</strong>` : this.#link(href, html`<strong>${title}</strong>`, seen)}
        ${cancel === undefined ? nothing : this.#cancel(cancel, title)}
      </div>
      ${progress === undefined ? nothing : bar(title, progress)}
      <p class="facts">${facts.filter(Boolean).join(" · ")}</p>
    </li>`;
  }

  #cancel(path: string, title: string): TemplateResult {
    return html`<button
      class="quiet"
      type="button"
      aria-label=${t("activity.cancelOf", { title })}
      ?disabled=${this.#action.busy}
      @click=${() => this.#action.run(() => this.post(path))}
    >
      ${t("activity.cancel")}
    </button>`;
  }

  /** @param seen - The path that learns of it. */
  #link(href: string, inside: unknown, seen?: string): TemplateResult {
    const followed = () => {
      this.#done();
      if (seen !== undefined) void this.#action.run(() => this.post(seen));
    };
    return html`<a href=${href} @click=${followed}>${inside}</a>`;
  }

  readonly #done = (): void => void this.dispatchEvent(new Event("done"));
}

function bar(title: string, { done, total }: { readonly done: number; readonly total: number }): TemplateResult {
  const label = t("activity.progressOf", { title });
  return total > 0
    ? html`<progress aria-label=${label} max=${total} value=${done}></progress>`
    : html`<progress aria-label=${label}></progress>`;
}
