import { html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { Panel } from "./panel.js";
import type { Finding } from "./shapes.js";
import { style } from "./style.js";

const says: Readonly<Record<Finding["level"], string>> = { ok: "Good", warning: "Look at this", error: "Mend this" };

/** What is wrong with the server, worst first, and what to do about it. */
@customElement("operations-health")
export class HealthPanel extends Panel<readonly Finding[]> {
  static override styles = style;
  protected readonly domains = ["plugins", "libraries", "status"];

  protected path(): string {
    return "/api/health/checks";
  }

  protected show(findings: readonly Finding[]): TemplateResult {
    const wrong = findings.filter((finding) => finding.level !== "ok").length;
    return html`
      <p class="line above"><span class="soft" role="status">${wrong === 0 ? "Everything is as it should be." : `${wrong} of ${findings.length} checks found something.`}</span><button @click=${() => this.refresh()}>Check again</button></p>
      <ul>
        ${repeat(
          findings,
          (finding) => finding.id,
          (finding) => html`<li class="card"><div class="line"><h2>${finding.title}</h2><span class="tag ${finding.level}">${says[finding.level]}</span></div><p class="soft">${finding.advice}</p></li>`,
        )}
      </ul>
    `;
  }
}
