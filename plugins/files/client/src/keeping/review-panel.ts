import { Action, element, LongboxElement, notice, problem, Resource, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import type { IgnoredPaths, ScanReviewFiles } from "@longbox/files/api";
import { style } from "../style.js";
import { reasonSaid } from "../wording.js";

type Doubtful = ScanReviewFiles["files"][number];
type Ignored = IgnoredPaths["files"][number];
const domains = ["scanFolder", "collection"];

/** Uncertain names for a person to confirm, and files that scans ignored. */
@element("files-review")
export class FilesReview extends LongboxElement {
  static override styles = style;
  readonly #doubtful = new Resource<ScanReviewFiles>(this, { path: "/api/scan-folder/review", domains });
  readonly #ignored = new Resource<IgnoredPaths>(this, { path: "/api/scan-folder/ignored", domains });
  readonly #settling = new Action(this, { after: () => this.#doubtful.refresh() });

  override render(): unknown {
    return html`${this.#doubtful.render(({ files }) => this.#doubts(files))}
    ${this.#ignored.render(({ files }) => this.#aside(files))}`;
  }

  #doubts(files: readonly Doubtful[]): TemplateResult {
    if (files.length === 0)
      return html`${notice({
        drawing: "box",
        heading: t("reviewPanel.noNameIsIn"),
        text: t("reviewPanel.filesWhoseNames"),
      })}
      ${problem(this.#settling.problem)}`;
    return html`<section class="card" aria-labelledby="doubtful">
      <div class="row spread">
        <h2 id="doubtful">${t("reviewPanel.namesCanBeRead", { files: files.length })}</h2>
        ${
          files.length > 1
            ? html`<button ?disabled=${this.#settling.busy} @click=${() => this.#settle(files)}>
                ${t("reviewPanel.allAreRight")}
              </button>`
            : nothing
        }
      </div>
      ${problem(this.#settling.problem)}
      <ul>
        ${files.map((file) => this.#doubt(file))}
      </ul>
    </section>`;
  }

  #doubt(file: Doubtful): TemplateResult {
    return html`<li class="row spread">
      <div>
        <a href=${`/series/${file.seriesId}`}>${file.readAs}</a>
        <p class="soft"><bdi>${file.path}</bdi></p>
        <ul class="soft">
          ${file.reasons.map((reason) => html`<li>${reasonSaid(this.longbox, reason)}</li>`)}
        </ul>
      </div>
      <button ?disabled=${this.#settling.busy} @click=${() => this.#settle([file])}>
        ${t("reviewPanel.itIsRight")}
      </button>
    </li>`;
  }

  async #settle(files: readonly Doubtful[]): Promise<void> {
    const paths = files.map(({ path }) => path);
    await this.#settling.run(() => this.post("/api/scan-folder/review", { paths }));
  }

  #aside(files: readonly Ignored[]): TemplateResult | typeof nothing {
    if (files.length === 0) return nothing;
    const reasons = [...Map.groupBy(files, ({ reason }) => reason)];
    return html`<section class="card" aria-labelledby="ignored">
      <h2 id="ignored">${t("reviewPanel.ignoredByScans")}</h2>
      ${reasons.map(
        ([reason, some]) =>
          html`<details>
            <summary>${t("reviewPanel.files", { some: some.length })}: ${reasonSaid(this.longbox, reason)}</summary>
            <ul class="soft">
              ${some.map(({ path }) => html`<li><bdi>${path}</bdi></li>`)}
            </ul>
          </details>`,
      )}
    </section>`;
  }
}
