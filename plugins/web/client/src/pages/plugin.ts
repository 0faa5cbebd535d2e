import type { PluginDocuments, PluginRow, PluginUse } from "@longbox/kernel/api";
import { bytes, day, dialogs, fields, icon, menuButton, Resource, t, toggle, wholePageStates } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import type { SettingSchema } from "../shell/setting-fields.js";
import { page } from "../styles/index.js";
import { waysBack } from "./plugins/going-back.js";
import { introductionStyles } from "./plugins/introduction.js";
import { whereItRuns } from "./plugins/isolation.js";
import { markdown } from "./plugins/markdown.js";
import { PluginChanges } from "./plugins/plugin-changes.js";
import { pluginStyle } from "./plugins/plugin-style.js";
import { useCard } from "./plugins/plugin-use.js";
import { says, tones } from "./plugins/states.js";
import { reasonOf } from "./plugins/stopping.js";
import { Page } from "./page.js";

/** `/plugin/:name`: what one plugin is, may do, adds and needs, with its README and changes. */
@customElement("lb-plugin-page")
export class PluginPage extends Page {
  static override styles = [page, dialogs, fields, introductionStyles, pluginStyle];
  readonly #plugins = new Resource<readonly PluginRow[]>(this, { path: () => "/api/plugins", domains: ["plugins"] });
  readonly #documents = new Resource<PluginDocuments>(this, {
    path: () => `/api/plugins/${encodeURIComponent(this.#name)}/documents`,
    domains: ["plugins"],
  });

  readonly #settings = new Resource<SettingSchema>(this, {
    path: () => (this.longbox.may("settings.manage") ? "/api/settings/schema" : undefined),
    domains: ["plugins"],
  });

  readonly #use = new Resource<PluginUse>(this, {
    path: () => `/api/plugins/${encodeURIComponent(this.#name)}/use`,
    domains: ["plugins"],
  });

  readonly #changes = new PluginChanges(this, {
    plugins: () => this.#plugins.value ?? [],
    changed: () => this.#plugins.refresh(),
  });

  get #name(): string {
    return String(this.subject["name"]);
  }

  override updated(): void {
    const plugin = this.#plugins.value?.find(({ name }) => name === this.#name);
    if (plugin) this.longbox.titled(plugin.title);
  }

  override render(): unknown {
    return this.#plugins.render((plugins) => {
      const plugin = plugins.find(({ name }) => name === this.#name);
      return plugin ? this.#document(plugin, plugins) : this.#missing();
    }, wholePageStates);
  }

  #missing(): TemplateResult {
    return html`<h1>${t("plugin.thisPluginIsNot")}</h1>
      <p><a class="button" href="/plugins">${icon("back")}${t("plugin.plugins")}</a></p>`;
  }

  #document(plugin: PluginRow, plugins: readonly PluginRow[]): TemplateResult {
    const reason = reasonOf(plugin, plugins);
    return html`<p class="label"><a href="/plugins">${t("plugin.plugins")}</a></p>
      <div class="page-head">
        <div>
          <h1>${plugin.title}</h1>
          <p class="label"><bdi dir="ltr">${plugin.package} ${plugin.version}</bdi></p>
        </div>
        <span class="row">
          <span class="tag ${tones[plugin.state]}">${says[plugin.state]}</span>
          ${toggle(
            {
              label: t("plugins.isOn", { plugin: plugin.title }),
              isDisabled: this.#changes.isBusy(plugin.name),
              isLabelHidden: true,
            },
            plugin.enabled,
            (isOn) => this.#changes.switch(plugin, isOn),
          )}
          ${menuButton(nothing, () => this.#changes.menu(plugin), { style: "quiet round", label: t("plugins.moreFor", { plugin: plugin.title }), icon: "more" })}
        </span>
      </div>
      <p class="lead">${plugin.description}</p>
      ${reason ? html`<p class="reason">${reason}</p>` : nothing}
      <div class="beside">
        <aside aria-label=${t("plugin.about", { plugin: plugin.title })}>
          ${this.#facts(plugin)} ${this.#versions(plugin)} ${this.#use.value ? useCard(this.#use.value) : nothing}
          ${this.#permissions(plugin)} ${this.#connections(plugin, plugins)} ${this.#routes(plugin)}
        </aside>
        <div class="text">${this.#texts()}</div>
      </div>
      ${this.#changes.dialogs()}`;
  }

  #texts(): unknown {
    return this.#documents.render(({ readme, changelog }) => [
      html`<h2 class="hidden">${t("plugin.description")}</h2>
        ${readme === undefined ? html`<p class="soft">${t("plugin.itComesWithoutA")}</p>` : html`<div lang="en" dir="ltr">${markdown(readme)}</div>`}`,
      changelog === undefined
        ? nothing
        : html`<details>
            <summary>${t("plugin.whatChangedInEach")}</summary>
            <div lang="en" dir="ltr">${markdown(changelog)}</div>
          </details>`,
    ]);
  }

  #facts(plugin: PluginRow): TemplateResult {
    const facts: ReadonlyArray<readonly [string, string | undefined]> = [
      [t("plugin.installed"), day(plugin.installedAt)],
      [t("plugin.size"), plugin.bytes > 0 ? bytes(plugin.bytes) : undefined],
      [t("plugin.errorsSinceItStarted"), plugin.faults > 0 ? String(plugin.faults) : undefined],
      [t("plugin.runs"), whereItRuns(plugin.isolation)],
      [t("plugin.leftOpenWhenIt"), plugin.leftOpen?.join(", ")],
    ];
    return html`<section class="card">
      <h2>${t("plugin.atAGlance")}</h2>
      <dl>
        ${facts.map(([name, value]) =>
          value === undefined
            ? nothing
            : html`<dt class="label">${name}</dt>
                <dd>${value}</dd>`,
        )}
      </dl>
      ${this.#settings.value?.properties?.[plugin.name] ? html`<p><a href="/settings#${plugin.name}">${t("plugin.settings")}</a></p>` : nothing}
    </section>`;
  }

  /** The version that runs, a newer one to look at, and those that one can go back to, from the menu. */
  #versions(plugin: PluginRow): TemplateResult {
    const update = typeof plugin.updateAvailable === "string" ? plugin.updateAvailable : undefined;
    const back = waysBack(plugin);
    return html`<section class="card">
      <h2>${t("plugin.versions")}</h2>
      <dl>
        <dt class="label">${t("plugin.thisVersion")}</dt>
        <dd><bdi dir="ltr">${plugin.version}</bdi></dd>
        ${
          back.length === 0
            ? nothing
            : html`<dt class="label">${t("plugin.canGoBackTo")}</dt>
                <dd><bdi dir="ltr">${back.map(({ version }) => version).join(", ")}</bdi></dd>`
        }
      </dl>
      ${
        update === undefined
          ? html`<p class="soft">${t("plugin.noNewerVersion")}</p>`
          : html`<button
              type="button"
              class="primary"
              ?disabled=${this.#changes.isBusy(plugin.name)}
              @click=${() => void this.#changes.look(plugin, update)}
            >
              ${icon("download")}${t("plugin.upgradeTo", { version: update })}
            </button>`
      }
    </section>`;
  }

  #permissions({ permissions }: PluginRow): TemplateResult | typeof nothing {
    if (permissions.length === 0) return nothing;
    return html`<section class="card">
      <h2>${t("plugin.permissions")}</h2>
      <ul>
        ${permissions.map(
          ({ label, description }) =>
            html`<li>
              <strong>${label}</strong>
              <p class="soft">${description}</p>
            </li>`,
        )}
      </ul>
    </section>`;
  }

  /** The plugins that it needs, and those that need it, by their titles. */
  #connections(plugin: PluginRow, plugins: readonly PluginRow[]): TemplateResult | typeof nothing {
    const others = plugins.filter(({ name }) => name !== plugin.name);
    const provides = (other: PluginRow, wanted: Readonly<Record<string, string>>) =>
      Object.keys(wanted).some((id) => id in other.provides);
    const groups = [
      [t("plugin.needs"), others.filter((other) => provides(other, plugin.requires))],
      [t("plugin.worksWith"), others.filter((other) => provides(other, plugin.optional))],
      [t("plugin.neededBy"), others.filter(({ requires }) => provides(plugin, requires))],
    ] as const;
    if (groups.every(([, rows]) => rows.length === 0)) return nothing;
    return html`<section class="card">
      <h2>${t("plugin.otherPlugins")}</h2>
      <dl>
        ${groups.map(([name, rows]) =>
          rows.length === 0
            ? nothing
            : html`<dt class="label">${name}</dt>
                <dd>
                  ${rows.map((row, index) => html`${index === 0 ? "" : ", "}<a href="/plugin/${row.name}">${row.title}</a>`)}
                </dd>`,
        )}
      </dl>
    </section>`;
  }

  #routes({ routes }: PluginRow): TemplateResult | typeof nothing {
    if (routes.length === 0) return nothing;
    return html`<section class="card">
      <details>
        <summary>${t("plugin.other", { routes: routes.length })}</summary>
        <ul class="routes">
          ${routes.map((route) => html`<li><code>${route}</code></li>`)}
        </ul>
      </details>
    </section>`;
  }
}
