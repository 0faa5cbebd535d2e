import {
  Action,
  choice,
  confirm,
  element,
  LongboxElement,
  notice,
  pageFrame,
  problem,
  Resource,
  t,
  number,
} from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { LibraryRow as Library } from "@longbox/collection/api";
import type { Candidate, ImportOutcome, ImportPlan } from "@longbox/files/api";
import { commonFolder } from "../plan.js";
import { style } from "../style.js";
import { named } from "../wording.js";
import type { Decision } from "./candidate-card.js";
import "./candidate-card.js";
import "./folder-dialog.js";
import type { FilesFolderDialog } from "./folder-dialog.js";
import "./match-dialog.js";
import type { FilesMatchDialog } from "./match-dialog.js";

const groups: ReadonlyArray<readonly [Candidate["status"], string]> = [
  ["review", t("importPage.toLookAt")],
  ["ready", t("importPage.ready")],
  ["skipped", t("importPage.skipped")],
  ["imported", t("importPage.imported")],
];
const atOnce = 50;

/** `/import`: what waits in the import folder, what it may be, and its way into a library. */
@element("files-import-page")
export class FilesImportPage extends LongboxElement {
  @state() private folder: string | undefined;
  @state() private libraries: readonly Library[] = [];
  @state() private libraryId: number | undefined;
  @state() private failed = new Map<number, string>();
  @state() private doing = "";
  @state() private shown: Partial<Record<Candidate["status"], number>> = {};
  @query("files-folder-dialog") private folders!: FilesFolderDialog;
  @query("files-match-dialog") private matching!: FilesMatchDialog;
  readonly #candidates = new Resource<readonly Candidate[]>(this, { path: "/api/import", domains: ["import"] });
  readonly #action = new Action(this, { after: () => this.#candidates.refresh() });

  static override styles = [
    style,
    pageFrame,
    css`
      .page {
        display: grid;
        gap: var(--lb-space-5);
        max-width: 60rem;
      }
      .path {
        font: var(--lb-text-s) / 1.4 var(--lb-font-mono);
        overflow-wrap: anywhere;
      }
      section {
        display: grid;
        gap: var(--lb-space-3);
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#lookAround();
  }

  override render(): TemplateResult {
    return html`<div class="page">
      <h1>${t("importPage.import")}</h1>
      ${this.#source()}
      <div role="status">${this.doing === "" ? nothing : html`<p class="running">${this.doing}</p>`}</div>
      ${problem(this.#action.problem)} ${this.#candidates.render((candidates) => this.#groups(candidates))}
      <files-folder-dialog
        .longbox=${this.longbox}
        @chosen=${(event: CustomEvent<string>) => this.#settled(event.detail)}
      ></files-folder-dialog>
      <files-match-dialog .longbox=${this.longbox} @matched=${() => this.#candidates.refresh()}></files-match-dialog>
    </div>`;
  }

  /** Where comics come from. Who may not read the settings sees only that it can be looked through. */
  #source(): TemplateResult {
    const isAllowed = this.longbox.may("settings.manage");
    return html`<div class="card row spread">
      <div>
        <p class="label">${t("importPage.importFolder")}</p>
        ${this.folder === "" ? html`<p>${t("importPage.noneIsChosenYet")}</p>` : this.folder === undefined ? nothing : html`<p class="path"><bdi>${this.folder}</bdi></p>`}
      </div>
      <div class="row">
        ${isAllowed ? html`<button ?disabled=${this.#action.busy} @click=${() => this.folders.open(this.folder ?? "")}>${this.folder === "" ? t("importPage.chooseAFolder") : t("importPage.anotherFolder")}</button>` : nothing}
        ${this.folder === "" ? nothing : html`<button class="primary" ?disabled=${this.#action.busy} @click=${() => this.#look()}>${t("importPage.lookThroughIt")}</button>`}
      </div>
    </div>`;
  }

  #groups(candidates: readonly Candidate[]): TemplateResult {
    if (candidates.length === 0)
      return notice({ drawing: "box", heading: t("importPage.nothingWaits"), text: t("importPage.putFilesInto") });
    return html`${groups.map(([status, title]) =>
      this.#group(
        status,
        title,
        candidates.filter((candidate) => candidate.status === status),
      ),
    )}`;
  }

  #group(
    status: Candidate["status"],
    title: string,
    candidates: readonly Candidate[],
  ): TemplateResult | typeof nothing {
    if (candidates.length === 0) return nothing;
    const shown = this.shown[status] ?? atOnce;
    return html`<section aria-labelledby=${status}>
      <div class="row spread">
        <h2 id=${status}>${title} <span class="soft">${number(candidates.length)}</span></h2>
        ${status === "ready" ? this.#running(candidates) : nothing}
      </div>
      <ul>
        ${repeat(
          candidates.slice(0, shown),
          ({ id }) => id,
          (candidate) =>
            html`<li>
              <files-candidate
                .longbox=${this.longbox}
                .candidate=${candidate}
                .problem=${this.failed.get(candidate.id) ?? ""}
                ?busy=${this.#action.busy}
                @decide=${(event: CustomEvent<Decision>) => this.#decide(candidate, event.detail)}
              ></files-candidate>
            </li>`,
        )}
      </ul>
      ${candidates.length > shown ? html`<p><button @click=${() => (this.shown = { ...this.shown, [status]: shown + atOnce })}>${t("importPage.showMore")}</button></p>` : nothing}
    </section>`;
  }

  #running(candidates: readonly Candidate[]): TemplateResult {
    return html`<div class="row">
      ${
        this.libraries.length > 1
          ? choice(
              {
                label: t("importPage.newSeriesGoTo"),
                choices: this.libraries.map(({ id, name }) => [id, name] as const),
              },
              this.libraryId,
              (id) => (this.libraryId = id),
            )
          : nothing
      }
      <button class="primary" ?disabled=${this.#action.busy} @click=${() => this.#importAll(candidates)}>
        ${t("importPage.importAll", { many: candidates.length })}
      </button>
    </div>`;
  }

  async #decide(candidate: Candidate, decision: Decision): Promise<unknown> {
    if (decision === "match") return this.matching.open(candidate);
    if (decision === "import") return this.#importOne(candidate);
    return this.#action.run(() => this.post(`/api/import/candidate/${candidate.id}/${decision}`));
  }

  #look(): Promise<void> {
    return this.#busyWith(t("importPage.lookingThroughTheFolder"), async () => {
      this.failed = new Map();
      const { candidates } = await this.post<{ candidates: readonly Candidate[] }>("/api/import/scan");
      if (!candidates.some(({ status }) => status !== "imported"))
        this.longbox.notify(t("importPage.thereIsNothingToImport"));
    });
  }

  /** Asks before the files of several series move, with what goes where. */
  async #importAll(candidates: readonly Candidate[]): Promise<void> {
    if (candidates.length === 1) return this.#importOne(candidates[0]!);
    const files = candidates.reduce((sum, candidate) => sum + candidate.files.length, 0);
    const isSure = await confirm({
      heading: t("importPage.importFiles", { files }),
      text: t("importPage.theyMoveFromThe"),
      plan: candidates.map((candidate) => this.#planned(candidate)),
      action: t("importPage.moveFiles", { files }),
    });
    if (isSure) await this.#import();
  }

  /** Asks before the files of a series move, with the name that each would get. */
  async #importOne(candidate: Candidate): Promise<void> {
    let plan: ImportPlan | undefined;
    const { libraryId } = this;
    const path = `/api/import/candidate/${candidate.id}/plan${libraryId === undefined ? "" : `?libraryId=${libraryId}`}`;
    await this.#action.run(async () => {
      plan = await this.longbox.api<ImportPlan>(path);
    });
    if (!plan) return;
    const { count, moves } = plan;
    const froms = commonFolder(moves.map(({ from }) => from));
    const root = commonFolder(moves.map(({ to }) => to));
    const more = candidate.files.length - moves.length;
    // Where nothing could move, its card says why.
    const isSure =
      count === 0 ||
      (await confirm({
        heading: t("importPage.importFiles", { files: count }),
        text: t("importPage.theyMoveFromThe"),
        plan: [
          this.#planned(candidate, plan),
          t("importPage.folder", { folder: root }),
          ...moves.map(({ from, to, isTaken }) =>
            t("importPage.fromTo", {
              from: from.slice(froms.length),
              to: to.slice(root.length),
              isTaken: isTaken ? "yes" : "no",
            }),
          ),
          ...(more > 0 ? [t("plan.andFilesMore", { changing: more })] : []),
        ],
        action: t("importPage.moveFiles", { files: count }),
      }));
    if (isSure) await this.#import([candidate.id]);
  }

  #planned({ name, year, match, files }: Candidate, plan?: ImportPlan): string {
    const isNew = match?.seriesId === null || match?.seriesId === undefined;
    const library = plan?.library ?? this.libraries.find(({ id }) => id === this.libraryId)?.name ?? "";
    return t("importPage.filesGoTo", {
      name: named(name, year),
      files: plan?.count ?? files.length,
      series: isNew ? t("importPage.aNewSeriesIn", { library }) : named(match.name, match.year),
    });
  }

  #import(ids?: readonly number[]): Promise<void> {
    return this.#busyWith(t("importPage.movingFiles"), async () => {
      const { imported, failed } = await this.post<ImportOutcome>("/api/import/run", {
        ...(ids && { ids }),
        ...(this.libraryId !== undefined && { libraryId: this.libraryId }),
      });
      this.failed = new Map(failed.map(({ id, error }) => [id, this.longbox.said(error)]));
      if (imported > 0) this.longbox.notify(t("importPage.filesCameIn", { imported }), { level: "success" });
      if (failed.length > 0)
        this.longbox.notify(t("importPage.seriesCouldNotBe", { failed: failed.length }), {
          level: "danger",
        });
    });
  }

  async #busyWith(doing: string, work: () => Promise<void>): Promise<void> {
    this.doing = doing;
    await this.#action.run(work);
    this.doing = "";
  }

  async #settled(folder: string): Promise<void> {
    this.folder = folder;
    await this.#look();
  }

  #lookAround(): Promise<boolean> {
    return this.#action.run(async () => {
      const { libraries } = await this.longbox.api<{ libraries: readonly Library[] }>("/api/libraries");
      this.libraries = libraries.filter(({ type }) => type === "comic" || type === "manga");
      this.libraryId = this.libraries[0]?.id;
      if (!this.longbox.may("settings.manage")) return;
      const { files } = await this.longbox.api<{ files?: { importFolder?: string } }>("/api/settings");
      this.folder = files?.importFolder ?? "";
    });
  }
}
