import { element, SectionedPage } from "@longbox/sdk/ui";
import { html } from "lit";
import "./backups-panel.js";
import "./health-panel.js";
import "./jobs-panel.js";
import "./log-panel.js";
import "./support-panel.js";
import "./tools-panel.js";
export { ScheduleForm } from "./schedules/schedule-form.js";
export { SchedulesPanel } from "./schedules/schedules-panel.js";

/** `/operations` and `/operations/<section>`: the administration of the server. */
@element("operations-page")
export class OperationsPage extends SectionedPage {
  protected readonly heading = "Operations";
  protected readonly path = "/operations";
  protected readonly sections = [
    {
      name: "health",
      title: "Health",
      permission: "system.logs",
      show: () => html`<operations-health .longbox=${this.longbox}></operations-health>`,
    },
    {
      name: "jobs",
      title: "Jobs",
      permission: "system.jobs",
      show: () => html`<operations-jobs .longbox=${this.longbox}></operations-jobs>`,
    },
    {
      name: "schedules",
      title: "Schedules",
      permission: "system.jobs",
      show: () => html`<operations-schedules .longbox=${this.longbox}></operations-schedules>`,
    },
    {
      name: "backups",
      title: "Backups",
      permission: "system.jobs",
      show: () => html`<operations-backups .longbox=${this.longbox}></operations-backups>`,
    },
    {
      name: "tools",
      title: "Tools",
      permission: "system.jobs",
      show: () => html`<operations-tools .longbox=${this.longbox}></operations-tools>`,
    },
    {
      name: "log",
      title: "Log",
      permission: "system.logs",
      show: () => html`<operations-log .longbox=${this.longbox}></operations-log>`,
    },
    {
      name: "support",
      title: "Support",
      permission: "settings.manage",
      show: () => html`<operations-support .longbox=${this.longbox}></operations-support>`,
    },
  ];
}
