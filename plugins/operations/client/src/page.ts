import { element, SectionedPage, t } from "@longbox/sdk/ui";
import { html } from "lit";
import "./backups-panel.js";
import "./health-panel.js";
import "./jobs-panel.js";
import "./log-panel.js";
import "./support-panel.js";
export { ScheduleForm } from "./schedules/schedule-form.js";
export { SchedulesPanel } from "./schedules/schedules-panel.js";
export { ToolsPanel } from "./tools/tools-panel.js";

/** `/operations` and `/operations/<section>`: the administration of the server. */
@element("operations-page")
export class OperationsPage extends SectionedPage {
  protected readonly heading = t("page.operations");
  protected readonly path = "/operations";
  protected readonly sections = [
    {
      name: "health",
      title: t("page.health"),
      permission: "system.logs",
      show: () => html`<operations-health .longbox=${this.longbox}></operations-health>`,
    },
    {
      name: "jobs",
      title: t("page.jobs"),
      permission: "system.jobs",
      show: () => html`<operations-jobs .longbox=${this.longbox}></operations-jobs>`,
    },
    {
      name: "schedules",
      title: t("page.schedules"),
      permission: "system.jobs",
      show: () => html`<operations-schedules .longbox=${this.longbox}></operations-schedules>`,
    },
    {
      name: "backups",
      title: t("page.backups"),
      permission: "system.jobs",
      show: () => html`<operations-backups .longbox=${this.longbox}></operations-backups>`,
    },
    {
      name: "tools",
      title: t("page.tools"),
      permission: "system.jobs",
      show: () => html`<operations-tools .longbox=${this.longbox}></operations-tools>`,
    },
    {
      name: "log",
      title: t("page.log"),
      permission: "system.logs",
      show: () => html`<operations-log .longbox=${this.longbox}></operations-log>`,
    },
    {
      name: "support",
      title: t("page.support"),
      permission: "settings.manage",
      show: () => html`<operations-support .longbox=${this.longbox}></operations-support>`,
    },
  ];
}
