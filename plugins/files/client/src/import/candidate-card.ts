import { bytes, count, cover, covers, element } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Candidate } from "@longbox/files/api";
import { style } from "../style.js";
import { named } from "../wording.js";

const sure: Readonly<Record<Candidate["confidence"], readonly [words: string, look: string]>> = {
  high: ["Certain", "good"],
  medium: ["Likely", "busy"],
  low: ["Doubtful", "warn"],
  none: ["Unknown", "warn"],
};
const mostFiles = 200;

/** A reason with quotation marks where it has marks of code. */
const quoted = (reason: string) => reason.replace(/`([^`]*)`/g, "“$1”");

/** The number in words that fit every library type, since the type is only known once the files are imported. */
const numbered = (number: string) => (number === "" ? "no number" : /^\d/.test(number) ? `number ${number}` : number);

/** A file with its number, and how its name was interpreted. */
function fileLine({ name, number, size, reasons = [] }: Candidate["files"][number]): TemplateResult {
  const facts = [numbered(number), bytes(size), ...reasons.map(quoted)];
  return html`<li>${name} <span class="soft">${facts.join(", ")}</span></li>`;
}

/** What the user decided about a candidate. */
export type Decision = "confirm" | "skip" | "match" | "import";

/**
 * Files in the import folder that seem to belong to one series, with buttons to decide on them. Dispatches `decide`.
 */
@element("files-candidate")
export class FilesCandidate extends LitElement {
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
          ${match ? html`<span class="soft">is</span> <strong>${named(match.name, match.year)}</strong> <span class="soft">${match.seriesId === null ? "as a new series" : "in the library"}</span>` : html`<span class="soft">${candidate.status === "imported" ? "Was" : "Will be"} imported under its own name.</span>`}
        </p>
        <p class="soft">${candidate.reasons.join(" ")}</p>
        ${candidate.status === "imported" ? nothing : this.#buttons()}
      </div>
      ${this.problem === "" ? nothing : html`<p class="problem" role="alert">${this.problem}</p>`}
      <details>
        <summary>${count(files.length, "file")}, ${bytes(size)}</summary>
        <p class="soft">${candidate.folder}</p>
        <ul>
          ${files.slice(0, mostFiles).map(fileLine)}
        </ul>
        ${files.length > mostFiles ? html`<p class="soft">And ${count(files.length - mostFiles, "file")} more.</p>` : nothing}
      </details>
    </article>`;
  }

  #buttons(): TemplateResult {
    const { status, match, name } = this.candidate;
    const button = (decision: Decision, words: string) =>
      html`<button ?disabled=${this.busy} aria-label="${words}: ${name}" @click=${() => this.#decide(decision)}>
        ${words}
      </button>`;
    return html`<div class="row">
      ${status === "ready" ? button("import", "Import") : button("confirm", status === "skipped" ? "Do not skip" : match ? "Correct" : "Accept as it is")}
      ${button("match", match ? "Another series" : "Choose a series")}
      ${status === "skipped" ? nothing : button("skip", "Skip")}
    </div>`;
  }

  #decide(decision: Decision): void {
    this.dispatchEvent(new CustomEvent("decide", { detail: decision }));
  }
}
