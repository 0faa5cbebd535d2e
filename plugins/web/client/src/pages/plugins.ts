import {
  bytes,
  dialogs,
  fields,
  icon,
  menuButton,
  messageOf,
  moment,
  Resource,
  skeleton,
  toggle,
  trouble,
  t,
  rich,
} from "@longbox/sdk/ui";
import { css, html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { CatalogRow, PluginRow } from "@longbox/kernel/api";
import { page } from "../styles/index.js";
import { introductionStyles } from "./plugins/introduction.js";
import { PluginChanges } from "./plugins/plugin-changes.js";
import { says, tones } from "./plugins/states.js";
import { reasonOf } from "./plugins/stopping.js";
import { Page } from "./page.js";

/** Installed and available plugins, which can be enabled and disabled while the server runs. */
@customElement("lb-plugins-page")
export class PluginsPage extends Page {
  readonly #plugins = new Resource<readonly PluginRow[]>(this, { path: () => "/api/plugins", domains: ["plugins"] });
  readonly #catalog = new Resource<readonly CatalogRow[]>(this, {
    path: () => "/api/plugins/catalog",
    domains: ["plugins"],
  });

  readonly #changes = new PluginChanges(this, {
    plugins: () => this.#plugins.value ?? [],
    changed: async () => {
      await this.#plugins.refresh();
      void this.#catalog.refresh();
    },
  });

  static override styles = [
    page,
    dialogs,
    fields,
    introductionStyles,
    css`
      .plugins {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr));
        gap: var(--lb-space-4);
      }
      .card {
        display: grid;
        grid-template-rows: auto 1fr auto;
        gap: var(--lb-space-3);
        padding: var(--lb-space-4);
      }
      .card.off {
        background: transparent;
      }
      .head {
        display: flex;
        align-items: start;
        justify-content: space-between;
        gap: var(--lb-space-3);
      }
      .head h2 a {
        color: inherit;
      }
      .head h2,
      .head h3 {
        margin: 0;
        font-size: var(--lb-text-l);
      }
      .reason {
        padding-inline-start: var(--lb-space-3);
        border-inline-start: 3px solid var(--lb-warning);
        overflow-wrap: anywhere;
      }
      .kept {
        margin-top: var(--lb-space-2);
        font-size: var(--lb-text-s);
        overflow-wrap: anywhere;
      }
      .foot {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: var(--lb-space-2);
      }
      .catalog {
        margin-top: var(--lb-space-6);
      }
      .catalog h2 {
        margin-bottom: var(--lb-space-3);
      }
    `,
  ];

  override render() {
    const plugins = this.#plugins.value;
    if (this.#plugins.error !== undefined && !plugins)
      return trouble(this.#plugins.error, () => void this.#plugins.refresh(), "page");
    const active = plugins?.filter((plugin) => plugin.state === "active").length ?? 0;
    return html`
      <div class="page-head">
        <div>
          <h1>${t("plugins.plugins")}</h1>
          ${plugins ? html`<p class="label">${t("plugins.otherActive", { plugins: plugins.length, active })}</p>` : nothing}
        </div>
      </div>
      ${
        plugins
          ? html`<ul class="plugins">
              ${repeat(
                plugins,
                (plugin) => plugin.name,
                (plugin) => this.#card(plugin),
              )}
            </ul>`
          : skeleton()
      }
      ${this.#offers(plugins)} ${this.#changes.dialogs()}
    `;
  }

  #card(plugin: PluginRow) {
    const update = typeof plugin.updateAvailable === "string" ? plugin.updateAvailable : undefined;
    const busy = this.#changes.isBusy(plugin.name);
    const reason = reasonOf(plugin, this.#plugins.value ?? []);
    return html`<li class="card ${plugin.enabled ? "" : "off"}" data-plugin=${plugin.name}>
      <div class="head">
        <div>
          <h2><a href="/plugin/${plugin.name}">${plugin.title}</a></h2>
          <p class="label">${plugin.name} ${plugin.version}</p>
        </div>
        ${toggle(
          { label: t("plugins.isOn", { plugin: plugin.title }), isDisabled: busy, isLabelHidden: true },
          plugin.enabled,
          (isOn) => this.#changes.switch(plugin, isOn),
        )}
      </div>
      <div>
        <p class="soft">${plugin.description}</p>
        ${reason ? html`<p class="reason">${reason}</p>` : nothing}
        ${plugin.setAside ? html`<p class="soft kept">${rich("plugins.theDataFromBefore", { day: moment(plugin.setAside.at), folder: html`<code>${plugin.setAside.folder}</code>` })}</p>` : nothing}
      </div>
      <div class="foot">
        <span class="row"
          ><span class="tag ${tones[plugin.state]}">${says[plugin.state] ?? plugin.state}</span
          >${plugin.faults > 0 ? html`<span class="tag warn">${t("plugins.other", { faults: plugin.faults })}</span>` : nothing}${plugin.bytes > 0 ? html`<span class="label">${bytes(plugin.bytes)}</span>` : nothing}</span
        >
        <span class="row">
          ${update ? html`<button class="primary" ?disabled=${busy} @click=${() => this.#changes.install(plugin, update)}>${icon("download")}${update}</button>` : nothing}
          ${menuButton(nothing, () => this.#changes.menu(plugin), { style: "quiet round", label: t("plugins.moreFor", { plugin: plugin.title }), icon: "more" })}
        </span>
      </div>
    </li>`;
  }

  #offers(plugins: readonly PluginRow[] | undefined) {
    const installed = new Set(plugins?.map((plugin) => plugin.name));
    const offers = this.#catalog.value?.filter((offer) => !installed.has(offer.name)) ?? [];
    return html`<section class="catalog" aria-label=${t("plugins.available")}>
      <h2>${t("plugins.availablePlugins")}</h2>
      ${this.#catalog.error !== undefined && !this.#catalog.value ? html`<p class="soft">${t("plugins.theRegistryCouldNot", { reason: messageOf(this.#catalog.error) })}</p>` : nothing}
      ${this.#catalog.value && offers.length === 0 ? html`<p class="soft">${t("plugins.allPluginsOfThe")}</p>` : nothing}
      <ul class="plugins">
        ${offers.map((offer) => this.#offer(offer))}
      </ul>
    </section>`;
  }

  #offer(offer: CatalogRow) {
    return html`<li class="card">
      <div>
        <h3>${offer.title}</h3>
        <p class="label">${offer.package} ${offer.version}</p>
      </div>
      <div>
        <p class="soft">${offer.description}</p>
        ${offer.deprecated === undefined ? nothing : html`<p class="reason">${t("plugins.itsPublisherAdvisesAgainst", { reason: offer.deprecated })}</p>`}
        ${offer.compatible ? nothing : html`<p class="reason">${offer.reason ?? t("plugins.itIsNotCompatible")}</p>`}
      </div>
      <div class="foot">
        <button
          class="primary"
          ?disabled=${!offer.compatible || this.#changes.isBusy(offer.name)}
          @click=${() => this.#changes.install(offer, offer.version)}
        >
          ${icon("download")}${t("plugins.install")}
        </button>
      </div>
    </li>`;
  }
}
