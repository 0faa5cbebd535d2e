import { element, SectionedPage, t } from "@longbox/sdk/ui";
import { html } from "lit";
import "./choices-panel.js";
import "./list-panel.js";

/** `/notifications`: the notifications and the user's preferences. */
@element("notifications-page")
export class NotificationsPage extends SectionedPage {
  protected readonly heading = t("page.notifications");
  protected readonly path = "/notifications";
  protected readonly sections = [
    {
      name: "all",
      title: t("page.all"),
      show: () => html`<notifications-list .longbox=${this.longbox}></notifications-list>`,
    },
    {
      name: "choices",
      title: t("page.preferences"),
      show: () => html`<notifications-choices .longbox=${this.longbox}></notifications-choices>`,
    },
  ];
}
