import { element, SectionedPage, t } from "@longbox/sdk/ui";
import { html } from "lit";
import "./queue-panel.js";
import "./history-panel.js";
import "./blocklist-panel.js";
import "./sources-panel.js";

const permission = "downloads.grab";

/** `/downloads`: the queue, what became of it, what is not taken again, and where things come from. */
@element("downloads-page")
export class DownloadsPage extends SectionedPage {
  protected readonly heading = t("page.downloads");
  protected readonly path = "/downloads";
  protected readonly sections = [
    {
      name: "queue",
      title: t("page.queue"),
      permission,
      show: () => html`<downloads-queue .longbox=${this.longbox}></downloads-queue>`,
    },
    {
      name: "history",
      title: t("page.history"),
      permission,
      show: () => html`<downloads-history .longbox=${this.longbox} path="/api/history"></downloads-history>`,
    },
    {
      name: "failed",
      title: t("page.failures"),
      permission,
      show: () => html`<downloads-history .longbox=${this.longbox} path="/api/history/failed"></downloads-history>`,
    },
    {
      name: "blocklist",
      title: t("page.blocklist"),
      permission,
      show: () => html`<downloads-blocklist .longbox=${this.longbox}></downloads-blocklist>`,
    },
    {
      name: "sources",
      title: t("page.sources"),
      permission,
      show: () => html`<downloads-sources .longbox=${this.longbox}></downloads-sources>`,
    },
  ];
}
