import { Action, element, LongboxElement, notice, Resource, showDialog, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Tool } from "@longbox/operations/api";
import { style } from "../style.js";
import { ToolPlan } from "./tool-plan.js";

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

  /** A tool that can be tried changes files: it shows what it would do, and asks, before it does it. */
  async #ask(tool: Tool): Promise<void> {
    if (!tool.dryRun) return void (await this.#run(tool, false));
    const plan = new ToolPlan();
    plan.longbox = this.longbox;
    plan.subject = { tool };
    plan.addEventListener("done", (event) => {
      if ((event as CustomEvent<boolean>).detail) this.#say(t("toolsPanel.wasStarted", { tool: tool.title }));
    });
    await showDialog({ heading: t("toolsPanel.run3", { tool: tool.title }), content: plan });
    await this.#tools.refresh();
  }

  #run(tool: Tool, dryRun: boolean): Promise<boolean> {
    const done = dryRun
      ? t("toolsPanel.theTrialRunHas", { tool: tool.title })
      : t("toolsPanel.wasStarted", { tool: tool.title });
    return this.#action.run(async () => {
      await this.post(`/api/tools/${encodeURIComponent(tool.id)}`, { dryRun });
      this.#say(done);
    });
  }

  /** The newest replaces what was said of another tool. */
  #say(message: string): void {
    const action = { label: t("toolsPanel.showTheJobs"), run: () => this.longbox.navigate("/operations/jobs") };
    this.longbox.notify(message, { level: "success", key: "tool", action });
  }
}
