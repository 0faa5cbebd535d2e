import { notice, notices, t } from "@longbox/sdk/ui";
import { customElement } from "lit/decorators.js";
import { base, buttons, pages, type } from "../styles/index.js";
import { Page } from "./page.js";

const home = { label: t("notFound.goHome"), icon: "home", href: "/" };

/** Shown for an address without a page; the plugin of the page may be disabled. */
@customElement("lb-not-found-page")
export class NotFoundPage extends Page {
  static override styles = [base, type, buttons, pages, notices];

  override render() {
    return notice({
      isPage: true,
      drawing: "box",
      heading: t("notFound.pageNotFound"),
      text: t("notFound.thereIsNoPage"),
      action: home,
    });
  }
}

/** Shown for a page that the user's role may not open. */
@customElement("lb-forbidden-page")
export class ForbiddenPage extends Page {
  static override styles = [base, type, buttons, pages, notices];

  override render() {
    return notice({
      isPage: true,
      drawing: "lock",
      heading: t("notFound.youDoNotHave"),
      text: t("notFound.ifYouNeedIt"),
      action: home,
    });
  }
}
