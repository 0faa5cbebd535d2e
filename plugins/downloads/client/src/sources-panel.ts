import type { Source } from "@longbox/downloads/api";
import { Action, element, fromNow, LongboxElement, notice, Resource, skeleton, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { style } from "./style.js";

/** Sources and indexers in their order; those who change settings move them, by dragging or with the keys. */
@element("downloads-sources")
export class DownloadsSources extends LongboxElement {
  static override styles = [style];
  #dragged: string | undefined;
  readonly #sources = new Resource<readonly Source[]>(this, { path: "/api/sources", domains: ["queue"] });
  readonly #action = new Action(this, { notify: true, after: () => this.#sources.refresh() });

  override render(): unknown {
    return this.#sources.render((sources) => this.#list(sources), { waiting: skeleton() });
  }

  #list(sources: readonly Source[]): TemplateResult {
    if (sources.length === 0)
      return notice({
        heading: t("sourcesPanel.noSourceYet"),
        text: t("sourcesPanel.addTheAddressOf"),
        ...(this.longbox.may("settings.manage") && {
          action: { label: t("sourcesPanel.settings"), href: "/settings" },
        }),
      });
    const order = t("sourcesPanel.searchedInThisOrder");
    return html`<p class="soft under">${order}</p>
      <ol class="stack">
        ${repeat(
          sources,
          ({ id }) => id,
          (source) => this.#row(source, sources),
        )}
      </ol>`;
  }

  #row(source: Source, all: readonly Source[]): TemplateResult {
    const { id, name, kind, enabled, resting, problem: trouble } = source;
    const may = this.longbox.may("settings.manage");
    return html`<li
      class="card row spread"
      draggable=${may && all.length > 1}
      @dragstart=${() => (this.#dragged = id)}
      @dragover=${(event: DragEvent) => event.preventDefault()}
      @drop=${() => this.#drop(all, id)}
    >
      <div>
        <strong>${name}</strong> <span class="label">${kind}</span>
        ${enabled ? nothing : html`<span class="tag">${t("sourcesPanel.off")}</span>`}
        ${resting ? html`<p class="soft">${t("sourcesPanel.suspendedAskedAgain", { until: fromNow(resting.until), reason: this.longbox.said(resting.reason) })}</p>` : nothing}
        ${trouble ? html`<p class="problem">${this.longbox.said(trouble.message)}</p>` : nothing}
      </div>
      ${may && all.length > 1 ? this.#arrows(source, all) : nothing}
    </li>`;
  }

  #arrows({ id, name }: Source, all: readonly Source[]): TemplateResult {
    const at = all.findIndex((source) => source.id === id);
    const arrow = (label: string, to: number) =>
      html`<button
        class="quiet"
        aria-label=${label}
        ?disabled=${this.#action.busy || to < 0 || to >= all.length}
        @click=${() => this.#move(all, id, to)}
      >
        ${to < at ? "↑" : "↓"}
      </button>`;
    return html`<div class="row">
      ${arrow(t("sourcesPanel.moveUp", { name }), at - 1)} ${arrow(t("sourcesPanel.moveDown", { name }), at + 1)}
    </div>`;
  }

  #drop(all: readonly Source[], onto: string): void {
    const to = all.findIndex(({ id }) => id === onto);
    if (this.#dragged !== undefined && this.#dragged !== onto) this.#move(all, this.#dragged, to);
    this.#dragged = undefined;
  }

  #move(all: readonly Source[], id: string, to: number): void {
    const ids = all.map((source) => source.id).filter((each) => each !== id);
    ids.splice(to, 0, id);
    void this.#action.run(() => this.post("/api/settings", { downloads: { sourcePriority: ids.join(",") } }));
  }
}
