import type { LongboxClient } from "@longbox/sdk/client";
import { css, html, LitElement, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { style } from "../style.js";
import "./moves-panel.js";
import "./reorganise-panel.js";
import "./trash-panel.js";

const sections = [
  { name: "moves", title: "Moves", permission: "system.jobs" },
  { name: "reorganise", title: "Reorganise", permission: "system.jobs" },
  { name: "trash", title: "Trash", permission: "library.manage" },
] as const;

/** `/files` and `/files/<section>`: what was moved, where everything should be, and what was taken away. */
@customElement("files-page")
export class FilesPage extends LitElement {
  @property({ attribute: false }) longbox!: LongboxClient;
  @property({ attribute: false }) subject: { section?: string } = {};

  static override styles = [
    style,
    css`
      :host {
        padding: var(--lb-space-5) var(--lb-gutter, var(--lb-space-4)) var(--lb-space-7);
      }
      h1 {
        margin-bottom: var(--lb-space-4);
      }
      .content {
        max-width: 72rem;
      }
      nav {
        display: flex;
        gap: var(--lb-space-1);
        margin-bottom: var(--lb-space-5);
        border-bottom: 1px solid var(--lb-line);
        overflow-x: auto;
      }
      nav a {
        padding: var(--lb-space-3) var(--lb-space-4);
        border-bottom: 3px solid transparent;
        color: var(--lb-ink-soft);
        font-weight: 600;
        text-decoration: none;
      }
      nav a:hover {
        color: var(--lb-ink);
      }
      nav a[aria-current="page"] {
        border-color: var(--lb-accent);
        color: var(--lb-ink);
      }
      nav a:focus-visible {
        outline-offset: -3px;
      }
    `,
  ];

  override render(): TemplateResult {
    const allowed = sections.filter((section) => this.longbox.may(section.permission));
    const here = allowed.find((section) => section.name === this.subject.section) ?? allowed[0];
    return html`
      <h1>Files</h1>
      <nav aria-label="Files">
        ${allowed.map((section) => html`<a href="/files/${section.name}" aria-current=${section === here ? "page" : "false"} @click=${(event: MouseEvent) => this.#go(event, section.name)}>${section.title}</a>`)}
      </nav>
      <div class="content">${this.#section(here?.name)}</div>
    `;
  }

  #section(name: (typeof sections)[number]["name"] | undefined): TemplateResult {
    const { longbox } = this;
    switch (name) {
      case "moves":
        return html`<files-moves .longbox=${longbox}></files-moves>`;
      case "reorganise":
        return html`<files-reorganise .longbox=${longbox}></files-reorganise>`;
      case "trash":
        return html`<files-trash .longbox=${longbox}></files-trash>`;
      case undefined:
        return html`<p class="soft">There is nothing here that your role may see.</p>`;
    }
  }

  #go(event: MouseEvent, section: string): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    this.longbox.navigate(`/files/${section}`, { replace: true });
  }
}
