import { bytes, cover, covers, element, t } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Candidate } from "@longbox/files/api";
import type { LongboxClient } from "@longbox/sdk/client";
import { style } from "../style.js";
import { named, reasonSaid } from "../wording.js";

const sure: Readonly<Record<Candidate["confidence"], readonly [words: string, look: string]>> = {
  high: [t("candidateCard.certain"), "good"],
  medium: [t("candidateCard.likely"), "busy"],
  low: [t("candidateCard.doubtful"), "warn"],
  none: [t("candidateCard.unknown"), "warn"],
};
const mostFiles = 200;

/** The number in words that fit every library type, since the type is only known once the files are imported. */
const numbered = (number: string) =>
  number === "" ? t("candidateCard.noNumber") : /^\d/.test(number) ? t("candidateCard.number", { number }) : number;

/** What the user decided about a candidate. */
export type Decision = "confirm" | "skip" | "match" | "import";

/**
 * Files in the import folder that seem to belong to one series, with buttons to decide on them. Dispatches `decide`.
 */
@element("files-candidate")
export class FilesCandidate extends LitElement {
  @property({ attribute: false }) longbox!: LongboxClient;
  @property({ attribute: false }) candidate!: Candidate;
  @property() problem = "";
  @property({ type: Boolean }) busy = false;

  static override styles = [
    style,
    covers,
    css`
      .card {
        grid-template-columns: 4.5rem minmax(0, 1fr);
        gap: var(--lb-space-2) var(--lb-space-4);
      }
      .cover {
        align-self: start;
      }
      .facts {
        display: grid;
        align-content: start;
        gap: var(--lb-space-2);
      }
      details,
      .problem {
        grid-column: 1 / -1;
      }
      summary {
        display: list-item;
        min-height: 2rem;
        cursor: pointer;
        font-size: var(--lb-text-s);
      }
      details li {
        font: var(--lb-text-xs) / 1.5 var(--lb-font-mono);
        overflow-wrap: anywhere;
      }
      details ul {
        gap: var(--lb-space-1);
      }
    `,
  ];

  override render(): TemplateResult {
    const { candidate } = this;
    const { match, files } = candidate;
    const [words, look] = sure[candidate.confidence];
    const size = files.reduce((sum, file) => sum + file.size, 0);
    return html`<article class="card" aria-labelledby="name">
      ${cover({
        path: match?.image,
        title: match?.name ?? "?",
        sizes: "72px",
        hasOneWidth: !match?.image?.startsWith("/api/collection/"),
      })}
      <div class="facts">
        <div class="row spread">
          <h3 id="name">${named(candidate.name, candidate.year)}</h3>
          <span class="tag ${look}">${words}</span>
        </div>
        <p>
          ${match ? html`<span class="soft">${t("candidateCard.is")}</span> <strong>${named(match.name, match.year)}</strong> <span class="soft">${match.seriesId === null ? t("candidateCard.asANewSeries") : t("candidateCard.inTheLibrary")}</span>` : html`<span class="soft">${t("candidateCard.wasImportedUnderIts", { whichStatus: candidate.status === "imported" ? "yes" : "no" })}</span>`}
        </p>
        <p class="soft">${candidate.reasons.map((reason) => reasonSaid(this.longbox, reason)).join(" ")}</p>
        ${candidate.status === "imported" ? nothing : this.#buttons()}
      </div>
      ${this.problem === "" ? nothing : html`<p class="problem" role="alert">${this.problem}</p>`}
      <details>
        <summary>${t("candidateCard.files", { files: files.length })}, ${bytes(size)}</summary>
        <p class="soft"><bdi>${candidate.folder}</bdi></p>
        <ul>
          ${files.slice(0, mostFiles).map((file) => this.#file(file))}
        </ul>
        ${files.length > mostFiles ? html`<p class="soft">${t("candidateCard.andFilesMore", { files: files.length - mostFiles })}</p>` : nothing}
      </details>
    </article>`;
  }

  /** A file with its number, and how its name was interpreted. */
  #file({ name, number, size, reasons = [] }: Candidate["files"][number]): TemplateResult {
    const facts = [numbered(number), bytes(size), ...reasons.map((reason) => reasonSaid(this.longbox, reason))];
    return html`<li><bdi>${name}</bdi> <span class="soft">${facts.join(" · ")}</span></li>`;
  }

  #buttons(): TemplateResult {
    const { status, match, name } = this.candidate;
    const button = (decision: Decision, words: string) =>
      html`<button ?disabled=${this.busy} aria-label="${words}: ${name}" @click=${() => this.#decide(decision)}>
        ${words}
      </button>`;
    return html`<div class="row">
      ${status === "ready" ? button("import", t("candidateCard.import")) : button("confirm", status === "skipped" ? t("candidateCard.doNotSkip") : match ? t("candidateCard.correct") : t("candidateCard.acceptAsItIs"))}
      ${button("match", match ? t("candidateCard.anotherSeries") : t("candidateCard.chooseASeries"))}
      ${status === "skipped" ? nothing : button("skip", t("candidateCard.skip"))}
    </div>`;
  }

  #decide(decision: Decision): void {
    this.dispatchEvent(new CustomEvent("decide", { detail: decision }));
  }
}
