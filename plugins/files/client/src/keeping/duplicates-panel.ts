import { Action, bytes, confirm, element, LongboxElement, notice, problem, Resource, t } from "@longbox/sdk/ui";
import { css, html, type TemplateResult } from "lit";
import type { DuplicateFiles, KeptCopy } from "@longbox/files/api";
import { style } from "../style.js";

type Duplicated = DuplicateFiles["issues"][number];
type Copy = Duplicated["files"][number];

/** Issues with several files, side by side: a person keeps one, which can be undone, or all. */
@element("files-duplicates")
export class FilesDuplicates extends LongboxElement {
  static override styles = [
    style,
    css`
      :host {
        display: grid;
        gap: var(--lb-space-3);
      }
      .copies {
        align-items: start;
        gap: var(--lb-space-4) var(--lb-space-5);
      }
    `,
  ];
  readonly #duplicates = new Resource<DuplicateFiles>(this, {
    path: "/api/library/duplicates",
    domains: ["collection", "import"],
  });
  readonly #action = new Action(this, { after: () => this.#duplicates.refresh() });

  override render(): unknown {
    return this.#duplicates.render(({ issues }) => this.#list(issues));
  }

  #list(issues: readonly Duplicated[]): TemplateResult {
    if (issues.length === 0)
      return notice({
        drawing: "box",
        heading: t("duplicatesPanel.nothingIsHereTwice"),
        text: t("duplicatesPanel.itemsWithSeveralFiles"),
      });
    return html`<div class="card">
        <h2>${t("duplicatesPanel.hereMoreThanOnce")}</h2>
        <p class="soft">${t("duplicatesPanel.filesThatAreNot")}</p>
        ${problem(this.#action.problem)}
      </div>
      ${issues.map((issue) => this.#issue(issue))}`;
  }

  #issue(issue: Duplicated): TemplateResult {
    return html`<section class="card" aria-label=${issue.label}>
      <div class="row spread">
        <h3><a href=${`/series/${issue.seriesId}`}>${issue.label}</a></h3>
        <button ?disabled=${this.#action.busy} @click=${() => this.#keep(issue, undefined)}>
          ${t("duplicatesPanel.keepAll")}
        </button>
      </div>
      <div class="row copies">${issue.files.map((file) => this.#copy(issue, file))}</div>
    </section>`;
  }

  #copy(issue: Duplicated, file: Copy): TemplateResult {
    const facts = [
      t("duplicatesPanel.pages", { pages: file.pages }),
      bytes(file.sizeBytes),
      file.tagged ? t("duplicatesPanel.tagged") : t("duplicatesPanel.notTagged"),
    ];
    return html`<figure>
      <img src=${file.cover} alt=${t("duplicatesPanel.theCoverOf", { name: file.name })} width="160" loading="lazy" />
      <figcaption>
        <strong>${file.name}</strong>
        <p class="soft">${facts.join(" · ")}</p>
        <button ?disabled=${this.#action.busy} @click=${() => this.#keepOne(issue, file)}>
          ${t("duplicatesPanel.keepThisOne")}
        </button>
      </figcaption>
    </figure>`;
  }

  /** Asks before files move, with what would become of each. */
  async #keepOne(issue: Duplicated, file: Copy): Promise<void> {
    const others = issue.files.filter(({ path }) => path !== file.path);
    const isSure = await confirm({
      heading: t("duplicatesPanel.moveToTheTrash", { others: others.length }),
      text: t("duplicatesPanel.isKeptTheRest", { name: file.name }),
      plan: others.map(({ name, sizeBytes }) => `${name} · ${bytes(sizeBytes)}`),
      action: t("duplicatesPanel.moveFiles", { others: others.length }),
    });
    if (isSure) await this.#keep(issue, file.path);
  }

  async #keep({ issueId, label }: Duplicated, path: string | undefined): Promise<void> {
    await this.#action.run(async () => {
      const kept = await this.post<KeptCopy>(
        `/api/library/duplicates/${issueId}/keep`,
        path === undefined ? {} : { path },
      );
      const done =
        kept.moved === 0
          ? t("duplicatesPanel.allFilesOfStay", { label })
          : t("duplicatesPanel.filesWentToThe", { moved: kept.moved });
      this.longbox.notify(done, { level: "success" });
    });
  }
}
