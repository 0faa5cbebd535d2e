import { Action, element, LongboxElement, problem, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import "../running.js";
import { style } from "../style.js";
import "./copies.js";
import "./naming.js";

interface Series {
  readonly id: number;
  readonly title: string;
}

/** What can be done with the files of a series (`subject.series`), in the dialog of the action. */
@element("files-series-actions")
export class FilesSeriesActions extends LongboxElement<{ readonly series?: Series }> {
  @state() private says = "";
  readonly #action = new Action(this);

  static override styles = [
    style,
    css`
      :host {
        display: grid;
        gap: var(--lb-space-4);
      }
    `,
  ];

  override render(): TemplateResult | typeof nothing {
    const { series } = this.subject;
    return series ? this.#inside(series) : nothing;
  }

  #inside({ id }: Series): TemplateResult {
    const { longbox } = this;
    const { busy } = this.#action;
    return html`<files-running
        .longbox=${longbox}
        of="/api/scan-folder"
        domain="scanFolder"
        label=${t("seriesActions.scan")}
      ></files-running>
      <files-running
        .longbox=${longbox}
        of="/api/tag-files"
        domain="tagFiles"
        label=${t("seriesActions.writingTags")}
      ></files-running>
      ${problem(this.#action.problem)}
      <div role="status">${this.says === "" ? nothing : html`<p>${this.says}</p>`}</div>
      <section class="card" aria-labelledby="reading">
        <div class="row spread">
          <h3 id="reading">${t("seriesActions.contents")}</h3>
          <span class="row">
            <button ?disabled=${busy} @click=${() => this.#scan(id)}>${t("seriesActions.scan")}</button>
            <button ?disabled=${busy} @click=${() => this.#tag(id)}>${t("seriesActions.writeTags")}</button>
          </span>
        </div>
        <p class="soft">${t("seriesActions.scanningReadsEveryFile")}</p>
      </section>
      <files-series-naming .longbox=${longbox} .series=${id}></files-series-naming>
      <files-series-copies .longbox=${longbox} .series=${id}></files-series-copies>`;
  }

  #scan(id: number): Promise<boolean> {
    return this.#action.run(async () => {
      await this.post(`/api/collection/${id}/scan`);
      this.says = t("seriesActions.theFilesAreBeing");
    });
  }

  #tag(id: number): Promise<boolean> {
    return this.#action.run(async () => {
      const { files } = await this.post<{ files: number }>(`/api/collection/${id}/tag`);
      this.says = files === 0 ? t("seriesActions.theSeriesHasNo") : t("seriesActions.tagsAreBeingWritten", { files });
    });
  }
}
