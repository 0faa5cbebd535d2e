import { Action, confirm, element, LongboxElement, Resource } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Tool } from "@longbox/operations/api";
import { style } from "./style.js";

/** Maintenance tools; those that change files have a dry run. */
@element("operations-tools")
export class ToolsPanel extends LongboxElement {
  static override styles = style;
  readonly #tools = new Resource<readonly Tool[]>(this, { path: "/api/tools", domains: ["tools", "jobs"] });
  readonly #action = new Action(this, { notify: true, after: () => this.#tools.refresh() });

  override render(): unknown {
    return this.#tools.render((tools) => {
      if (tools.length === 0) return html`<p class="soft">There are no tools.</p>`;
      return html`<ul>
        ${repeat(
          tools,
          (tool) => tool.id,
          (tool) => this.#card(tool),
        )}
      </ul>`;
    });
  }

  #card(tool: Tool): TemplateResult {
    const waits = this.#action.busy || tool.running;
    return html`<li class="card">
      <div class="row spread">
        <h2>${tool.title}</h2>
        <span class="row">
          ${tool.running ? html`<span class="tag busy">Running</span>` : nothing}
          ${tool.dryRun ? html`<button ?disabled=${waits} @click=${() => this.#run(tool, true)} aria-label="Try it: ${tool.title}" title="Shows what it would do, without changes">Try it</button>` : nothing}
          <button ?disabled=${waits} @click=${() => void this.#ask(tool)} aria-label="Run ${tool.title}">Run</button>
        </span>
      </div>
      <p class="soft">${tool.description}</p>
    </li>`;
  }

  /** A tool that can be tried changes files: it asks first, and offers to show what it would do. */
  async #ask(tool: Tool): Promise<void> {
    const isSure =
      !tool.dryRun ||
      (await confirm({
        heading: `Run ${tool.title}?`,
        text: "This changes files of your libraries. “Try it” lists what would change, and how much, without doing it.",
        action: "Run",
      }));
    if (isSure) await this.#run(tool, false);
  }

  #run(tool: Tool, dryRun: boolean): Promise<boolean> {
    const done = dryRun
      ? `${tool.title} is running without changes: the job shows what it would do.`
      : `${tool.title} was started.`;
    const action = { label: "Open the jobs", run: () => this.longbox.navigate("/operations/jobs") };
    return this.#action.run(async () => {
      await this.post(`/api/tools/${encodeURIComponent(tool.id)}`, { dryRun });
      this.longbox.notify(done, { level: "success", key: `tool ${tool.id}`, action });
    });
  }
}
