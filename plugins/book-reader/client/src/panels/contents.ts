import { t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import type { Chapter } from "../protocol.js";
import { share, within } from "../page/questions.js";
import type { Session } from "../page/session.js";

interface ContentsActions {
  goTo(href: string): void;
  goWhereListened(): void;
}

/** The table of contents; the chapter that is shown is marked. Above it, where the user is in the audiobook. */
export function contentsPanel(session: Session, { goTo, goWhereListened }: ContentsActions): TemplateResult {
  const { chapters } = session.opened;
  const place = session.audiobook?.place;
  const listened = place
    ? html`<button type="button" class="listened" @click=${goWhereListened}>
        ${t("contents.goOnWhereYou")} <span class="soft">${share(place.fraction)}${within(place.chapter)}</span>
      </button>`
    : nothing;
  if (chapters.length === 0)
    return html`${listened}
      <p class="soft">${t("contents.thisBookHasNo")}</p>`;
  return html`${listened}
    <nav aria-label=${t("contents.chapters")}>${list(chapters, session.shown?.chapterHref ?? "", goTo)}</nav>`;
}

function list(chapters: readonly Chapter[], shown: string, goTo: (href: string) => void): TemplateResult {
  return html`<ol class="chapters">
    ${chapters.map(
      ({ label, href, children }) =>
        html`<li>
          <button
            type="button"
            aria-current=${href !== "" && href === shown ? "location" : "false"}
            ?disabled=${href === ""}
            @click=${() => goTo(href)}
          >
            ${label || t("contents.untitled")}
          </button>
          ${children.length > 0 ? list(children, shown, goTo) : ""}
        </li>`,
    )}
  </ol>`;
}
