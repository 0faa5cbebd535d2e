import { Action, bytes, count, element, LongboxElement, problem, Resource } from "@longbox/sdk/ui";
import { html, type TemplateResult } from "lit";
import type { DuplicateFiles, KeptCopy } from "@longbox/files/api";
import { style } from "../style.js";

type Duplicated = DuplicateFiles["issues"][number];
type Copy = Duplicated["files"][number];

/** Issues with several files, side by side: a person keeps one, which can be undone, or all. */
@element("files-duplicates")
export class FilesDuplicates extends LongboxElement {
  static override styles = style;
  readonly #duplicates = new Resource<DuplicateFiles>(this, {
    path: "/api/library/duplicates",
    domains: ["collection", "import"],
  });
  readonly #action = new Action(this, { after: () => this.#duplicates.refresh() });

  override render(): unknown {
    return this.#duplicates.render(({ issues }) => this.#list(issues));
  }

  #list(issues: readonly Duplicated[]): TemplateResult {
    const heading = issues.length === 0 ? "Nothing is here twice" : "Here more than once";
    return html`<div class="card">
        <h2>${heading}</h2>
        <p class="soft">Files that are not kept go to the trash, and can be put back under “Moves”.</p>
        ${problem(this.#action.problem)}
      </div>
      ${issues.map((issue) => this.#issue(issue))}`;
  }

  #issue(issue: Duplicated): TemplateResult {
    return html`<section class="card" aria-label=${issue.label}>
      <div class="row spread">
        <h3><a href=${`/series/${issue.seriesId}`}>${issue.label}</a></h3>
        <button ?disabled=${this.#action.busy} @click=${() => this.#keep(issue, undefined)}>Keep all</button>
      </div>
      <div class="row">${issue.files.map((file) => this.#copy(issue, file))}</div>
    </section>`;
  }

  #copy(issue: Duplicated, file: Copy): TemplateResult {
    const facts = [count(file.pages, "page"), bytes(file.sizeBytes), file.tagged ? "tagged" : "not tagged"];
    return html`<figure>
      <img src=${file.cover} alt=${`The cover of ${file.name}`} width="160" loading="lazy" />
      <figcaption>
        <strong>${file.name}</strong>
        <p class="soft">${facts.join(" · ")}</p>
        <button ?disabled=${this.#action.busy} @click=${() => this.#keep(issue, file.path)}>Keep this one</button>
      </figcaption>
    </figure>`;
  }

  async #keep({ issueId, label }: Duplicated, path: string | undefined): Promise<void> {
    await this.#action.run(async () => {
      const kept = await this.post<KeptCopy>(
        `/api/library/duplicates/${issueId}/keep`,
        path === undefined ? {} : { path },
      );
      const done = kept.moved === 0 ? `All files of ${label} stay.` : `${count(kept.moved, "file")} went to the trash.`;
      this.longbox.notify(done, { level: "success" });
    });
  }
}
