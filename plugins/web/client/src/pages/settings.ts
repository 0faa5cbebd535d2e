import { Resource, skeleton, trouble } from "@longbox/sdk/ui";
import { css, html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { SettingsGroup } from "../elements/settings-group.js";
import "../elements/settings-group.js";
import "../elements/slot.js";
import { Watch } from "../shell/observable.js";
import type { SettingSchema } from "../shell/setting-fields.js";
import { page } from "../styles/index.js";
import { Page } from "./page.js";

type Values = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** All settings, in forms that are generated from the schemas of the server and its plugins. */
@customElement("lb-settings-page")
export class SettingsPage extends Page {
  readonly #schema = new Resource<SettingSchema>(this, { path: () => "/api/settings/schema", domains: ["plugins"] });
  readonly #values = new Resource<Values>(this, { path: () => "/api/settings", domains: ["settings", "plugins"] });

  /** The group that the address has led to. */
  #led = "";

  constructor() {
    super();
    new Watch(this, () => [this.longbox.contributions.parts]);
  }

  static override styles = [
    page,
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
      .groups {
        display: grid;
        gap: var(--lb-space-5);
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
        ? html`<h1>Settings</h1>
            ${skeleton()}`
        : trouble(this.#schema.error ?? this.#values.error, this.#again);
    }
    const groups = Object.entries(schema.properties ?? {}).filter(
      ([, group]) => Object.keys(group.properties ?? {}).length > 0,
    );
    return html`
      <div class="page-head"><h1>Settings</h1></div>
      <div class="layout">
        <nav class="contents" aria-label="Groups">
          ${groups.map(([id, group]) => html`<a href="#${id}" @click=${(event: Event) => this.#show(event, id)}>${heading(id, group)}</a>`)}
        </nav>
        <div class="groups">
          ${repeat(
            groups,
            ([id]) => id,
            ([id, group]) =>
              html`<lb-settings-group
                id=${id}
                group=${id}
                heading=${heading(id, group)}
                .longbox=${this.longbox}
                .schema=${group}
                .values=${values[id] ?? {}}
                @saved=${(event: CustomEvent<Values>) => this.#values.put(event.detail)}
              ></lb-settings-group>`,
          )}
          <lb-slot name="settings.panel" .longbox=${this.longbox}></lb-slot>
          ${groups.length === 0 ? html`<p class="soft">There are no settings.</p>` : nothing}
        </div>
      </div>
    `;
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

function heading(id: string, group: SettingSchema): string {
  return group.title ?? id.charAt(0).toUpperCase() + id.slice(1);
}
