import { Action, confirm, element, LongboxElement, notice, Resource, t } from "@longbox/sdk/ui";
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
      if (tools.length === 0) return notice({ drawing: "box", heading: t("toolsPanel.thereAreNoTools") });
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
          ${tool.running ? html`<span class="tag busy">${t("toolsPanel.running")}</span>` : nothing}
          ${tool.dryRun ? html`<button ?disabled=${waits} @click=${() => this.#run(tool, true)} aria-label=${t("toolsPanel.try", { tool: tool.title })} title=${t("toolsPanel.showsWhatItWould")}>${t("toolsPanel.try2")}</button>` : nothing}
          <button
            ?disabled=${waits}
            @click=${() => void this.#ask(tool)}
            aria-label=${t("toolsPanel.run", { tool: tool.title })}
          >
            ${t("toolsPanel.run2")}
          </button>
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
        heading: t("toolsPanel.run3", { tool: tool.title }),
        text: t("toolsPanel.thisChangesFilesOf"),
        action: t("toolsPanel.run2"),
      }));
    if (isSure) await this.#run(tool, false);
  }

  #run(tool: Tool, dryRun: boolean): Promise<boolean> {
    const done = dryRun
      ? t("toolsPanel.theTrialRunHas", { tool: tool.title })
      : t("toolsPanel.wasStarted", { tool: tool.title });
    const action = { label: t("toolsPanel.showTheJobs"), run: () => this.longbox.navigate("/operations/jobs") };
    return this.#action.run(async () => {
      await this.post(`/api/tools/${encodeURIComponent(tool.id)}`, { dryRun });
      this.longbox.notify(done, { level: "success", key: `tool ${tool.id}`, action });
    });
  }
}
