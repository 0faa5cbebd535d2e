import type { ClientSubject } from "@longbox/sdk/client";
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { dialogStyle } from "../dialog-style.js";
import { Doing } from "../doing.js";
import "../running.js";
import { style } from "../style.js";
import { count } from "../wording.js";
import "./copies.js";
import "./naming.js";

/** What can be done with the files of a series (`subject.series`), in a dialog. */
@customElement("files-series-actions")
export class FilesSeriesActions extends Doing {
  @property({ attribute: false }) subject: ClientSubject = {};
  @state() private isOpen = false;
  @state() private says = "";
  @query("dialog") private dialog!: HTMLDialogElement;

  static override styles = [
    style,
    dialogStyle,
    css`
      :host {
        display: contents;
      }
      .beside {
        background: var(--lb-surface);
      }
    `,
  ];

  override render(): TemplateResult | typeof nothing {
    const series = this.subject["series"] as { id: number; title: string } | undefined;
    if (!series || !this.longbox.may("library.manage")) return nothing;
    return html`<button class="beside" aria-haspopup="dialog" @click=${() => this.#open()}>Files</button>
      <dialog aria-labelledby="heading" @close=${() => (this.isOpen = false)}>${this.isOpen ? this.#inside(series) : nothing}</dialog>`;
  }

  #inside(series: { id: number; title: string }): TemplateResult {
    const { longbox } = this;
    return html`<div class="inside">
      <div class="head">
        <h2 id="heading">Files of ${series.title}</h2>
        <button @click=${() => this.dialog.close()}>Close</button>
      </div>
      <files-running .longbox=${longbox} of="/api/scan-folder" domain="scanFolder" label="Scan"></files-running>
      <files-running .longbox=${longbox} of="/api/tag-files" domain="tagFiles" label="Writing tags"></files-running>
      ${this.problem === undefined ? nothing : html`<p class="problem" role="alert">${this.problem}</p>`}
      <div role="status">${this.says === "" ? nothing : html`<p>${this.says}</p>`}</div>
      <section class="card" aria-labelledby="reading">
        <div class="line">
          <h3 id="reading">Contents</h3>
          <span class="line">
            <button ?disabled=${this.busy} @click=${() => this.#scan(series.id)}>Scan</button>
            <button ?disabled=${this.busy} @click=${() => this.#tag(series.id)}>Write tags</button>
          </span>
        </div>
        <p class="soft">Scanning reads every file of the series again. Writing tags puts what is known of each issue into its file, or beside it; the pages stay as they are.</p>
      </section>
      <files-series-naming .longbox=${longbox} .series=${series.id}></files-series-naming>
      <files-series-copies .longbox=${longbox} .series=${series.id}></files-series-copies>
    </div>`;
  }

  async #open(): Promise<void> {
    this.says = "";
    this.problem = undefined;
    this.isOpen = true;
    await this.updateComplete;
    this.dialog.showModal();
  }

  #scan(id: number): Promise<void> {
    return this.attempt(async () => {
      await this.post(`/api/collection/${id}/scan`);
      this.says = "The files are being read.";
    });
  }

  #tag(id: number): Promise<void> {
    return this.attempt(async () => {
      const { files } = await this.post<{ files: number }>(`/api/collection/${id}/tag`);
      this.says = files === 0 ? "The series has no file that could be tagged." : `Tags are being written for ${count(files, "file")}.`;
    });
  }
}
