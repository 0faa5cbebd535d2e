import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { Panel } from "./panel.js";
import type { Tool } from "./shapes.js";
import { style } from "./style.js";

/** Maintenance by hand; what touches files can be tried first. */
@customElement("operations-tools")
export class ToolsPanel extends Panel<readonly Tool[]> {
  static override styles = style;
  protected readonly domains = ["tools", "jobs"];

  protected path(): string {
    return "/api/tools";
  }

  protected show(tools: readonly Tool[]): TemplateResult {
    if (tools.length === 0) return html`<p class="soft">No plugin offers a tool.</p>`;
    return html`<ul>${repeat(tools, (tool) => tool.id, (tool) => this.#card(tool))}</ul>`;
  }

  #card(tool: Tool): TemplateResult {
    const waits = this.busy || tool.running;
    return html`<li class="card">
      <div class="line">
        <h2>${tool.title}</h2>
        <span class="line">
          ${tool.running ? html`<span class="tag running">Running</span>` : nothing}
          ${tool.dryRun ? html`<button ?disabled=${waits} @click=${() => this.#run(tool, true)} aria-label="Try it: ${tool.title}" title="Says what it would do, and changes nothing">Try it</button>` : nothing}
          <button ?disabled=${waits} @click=${() => this.#run(tool, false)} aria-label="Run ${tool.title}">Run</button>
        </span>
      </div>
      <p class="soft">${tool.description}</p>
    </li>`;
  }

  #run(tool: Tool, dryRun: boolean): Promise<void> {
    const done = dryRun ? `${tool.title} is being tried: see the jobs for what it would do.` : `${tool.title} has begun: see the jobs.`;
    return this.attempt(() => this.longbox.api(`/api/tools/${encodeURIComponent(tool.id)}`, { method: "POST", body: { dryRun } }), done);
  }
}
