import { Resource, skeleton, trouble, valueOf, t } from "@longbox/sdk/ui";
import { css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { SettingsGroup } from "../elements/settings/settings-group.js";
import "../elements/settings/settings-group.js";
import "../elements/slot.js";
import { Watch } from "../shell/observable.js";
import type { SettingSchema } from "../shell/setting-fields.js";
import { forms, page } from "../styles/index.js";
import { Page } from "./page.js";
import { groupsByTask, headingOf, type TaskGroups } from "./settings/tasks.js";

type Values = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
/** The same object each time, so that a group is not told of nothing. */
const nothingKept = {};

/**
 * All settings by what people want to do, in forms that are generated from the schemas of the server and its plugins.
 */
@customElement("lb-settings-page")
export class SettingsPage extends Page {
  readonly #schema = new Resource<SettingSchema>(this, { path: () => "/api/settings/schema", domains: ["plugins"] });
  readonly #values = new Resource<Values>(this, { path: () => "/api/settings", domains: ["settings", "plugins"] });

  @state() private search = "";
  /** The group that the address has led to. */
  #led = "";

  constructor() {
    super();
    new Watch(this, () => [this.longbox.contributions.parts]);
  }

  static override styles = [
    page,
    forms,
    css`
      .layout {
        display: grid;
        grid-template-columns: 12rem minmax(0, 46rem);
        gap: var(--lb-space-6);
      }
      .contents {
        position: sticky;
        top: 5.5rem;
        align-self: start;
        display: grid;
      }
      .contents a {
        padding: var(--lb-space-2) 0;
        color: var(--lb-ink);
        text-decoration: none;
      }
      .contents a:hover {
        text-decoration: underline;
      }
      .contents .label:not(:first-child) {
        margin-top: var(--lb-space-4);
      }
      .groups,
      .task {
        display: grid;
        gap: var(--lb-space-5);
      }
      .groups {
        gap: var(--lb-space-7);
      }
      .page-head [type="search"] {
        width: min(100%, 18rem);
      }
      @media (max-width: 959px) {
        .layout {
          grid-template-columns: minmax(0, 1fr);
        }
        .contents {
          display: none;
        }
      }
    `,
  ];

  override render() {
    const schema = this.#schema.value;
    const values = this.#values.value;
    if (!schema || !values) {
      const failed = this.#schema.message ?? this.#values.message;
      return failed === undefined
        ? html`<h1>${t("settings.settings")}</h1>
            ${skeleton()}`
        : trouble(this.#schema.error ?? this.#values.error, this.#again, "page");
    }
    const tasks = groupsByTask(schema, this.search);
    return html`
      <div class="page-head">
        <h1>${t("settings.settings")}</h1>
        <input
          type="search"
          aria-label=${t("settings.findASetting")}
          placeholder=${t("settings.findASetting")}
          .value=${this.search}
          @input=${(event: Event) => (this.search = valueOf(event))}
        />
      </div>
      <div class="layout">
        <nav class="contents" aria-label=${t("settings.sections")}>${tasks.map((task) => this.#links(task))}</nav>
        <div class="groups">
          ${repeat(
            tasks,
            ({ id }) => id,
            (task) => this.#task(task, values),
          )}
          <lb-slot name="settings.panel" .longbox=${this.longbox}></lb-slot>
          ${tasks.length === 0 ? html`<p class="soft" role="status">${this.search === "" ? t("settings.thereAreNoSettings") : t("settings.noSettingMatches")}</p>` : nothing}
        </div>
      </div>
    `;
  }

  #links({ title, groups }: TaskGroups) {
    return html`<p class="label">${title}</p>
      ${groups.map(([id, group]) => html`<a href="#${id}" @click=${(event: Event) => this.#show(event, id)}>${headingOf(id, group)}</a>`)}`;
  }

  #task({ id, title, hint, groups }: TaskGroups, values: Values) {
    return html`<section class="task" aria-labelledby="task-${id}">
      <div>
        <h2 id="task-${id}">${title}</h2>
        <p class="soft">${hint}</p>
      </div>
      ${repeat(
        groups,
        ([group]) => group,
        ([group, schema]) =>
          html`<lb-settings-group
            id=${group}
            group=${group}
            heading=${headingOf(group, schema)}
            .longbox=${this.longbox}
            .schema=${schema}
            .values=${values[group] ?? nothingKept}
            @saved=${(event: CustomEvent<Values>) => this.#values.put(event.detail)}
          ></lb-settings-group>`,
      )}
    </section>`;
  }

  /** `/settings#metadata`: a link from elsewhere leads to its group, once. */
  override updated(): void {
    const id = this.longbox.router.match.value.url.hash.slice(1);
    if (id === "" || this.#led === id || !this.#groupOf(id)) return;
    this.#led = id;
    void Promise.all(
      [...this.renderRoot.querySelectorAll<SettingsGroup>("lb-settings-group")].map((group) => group.updateComplete),
    ).then(() => this.#goTo(id));
  }

  #groupOf(id: string): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(`#${CSS.escape(id)}`);
  }

  #again(): void {
    void this.#schema.refresh();
    void this.#values.refresh();
  }

  #show(event: Event, id: string): void {
    event.preventDefault();
    this.#goTo(id);
  }

  #goTo(id: string): void {
    const group = this.#groupOf(id);
    const top = (group?.getBoundingClientRect().top ?? 0) + window.scrollY - 88;
    window.scrollTo({ top });
    group?.focus({ preventScroll: true });
  }
}
