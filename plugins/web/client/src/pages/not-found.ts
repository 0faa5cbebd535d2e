import { notice, notices } from "@longbox/sdk/ui";
import { customElement } from "lit/decorators.js";
import { base, buttons, pages, type } from "../styles/index.js";
import { Page } from "./page.js";

const home = { label: "Go home", icon: "home", href: "/" };

/** Shown for an address without a page; the plugin of the page may be disabled. */
@customElement("lb-not-found-page")
export class NotFoundPage extends Page {
  static override styles = [base, type, buttons, pages, notices];

  override render() {
    return notice({
      isPage: true,
      drawing: "box",
      heading: "Page not found",
      text: "There is no page at this address. If it belongs to a plugin, the plugin may be disabled.",
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
      heading: "You do not have access to this page",
      text: "If you need it, ask an administrator of this server.",
      action: home,
    });
  }
}
