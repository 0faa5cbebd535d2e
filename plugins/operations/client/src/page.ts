import type { LongboxClient } from "@longbox/sdk/client";
import { css, html, LitElement, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { style } from "./style.js";

const sections = [
  { name: "health", title: "Health", permission: "system.logs" },
  { name: "jobs", title: "Jobs", permission: "system.jobs" },
  { name: "schedules", title: "Schedules", permission: "system.jobs" },
  { name: "tools", title: "Tools", permission: "system.jobs" },
  { name: "log", title: "Log", permission: "system.logs" },
  { name: "support", title: "Support", permission: "settings.manage" },
] as const;

/** `/operations` and `/operations/<section>`: the care of the server. */
@customElement("operations-page")
export class OperationsPage extends LitElement {
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
    `,
  ];

  override render(): TemplateResult {
    const allowed = sections.filter((section) => this.longbox.may(section.permission));
    const here = allowed.find((section) => section.name === this.subject.section) ?? allowed[0];
    return html`
      <h1>Operations</h1>
      <nav aria-label="Operations">
        ${allowed.map((section) => html`<a href="/operations/${section.name}" aria-current=${section === here ? "page" : "false"} @click=${(event: MouseEvent) => this.#go(event, section.name)}>${section.title}</a>`)}
      </nav>
      ${this.#section(here?.name)}
    `;
  }

  /** On a narrow window the tabs scroll: the one that is open is in sight. */
  override updated(): void {
    this.renderRoot.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest", inline: "center" });
  }

  #section(name: (typeof sections)[number]["name"] | undefined): TemplateResult {
    const { longbox } = this;
    switch (name) {
      case "health":
        return html`<operations-health .longbox=${longbox}></operations-health>`;
      case "jobs":
        return html`<operations-jobs .longbox=${longbox}></operations-jobs>`;
      case "schedules":
        return html`<operations-schedules .longbox=${longbox}></operations-schedules>`;
      case "tools":
        return html`<operations-tools .longbox=${longbox}></operations-tools>`;
      case "log":
        return html`<operations-log .longbox=${longbox}></operations-log>`;
      case "support":
        return html`<operations-support .longbox=${longbox}></operations-support>`;
      case undefined:
        return html`<p class="soft">There is nothing here that your role may see.</p>`;
    }
  }

  #go(event: MouseEvent, section: string): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    this.longbox.navigate(`/operations/${section}`, { replace: true });
  }
}
