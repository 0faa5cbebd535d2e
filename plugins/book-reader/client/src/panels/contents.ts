import { html, type TemplateResult } from "lit";
import type { Chapter } from "../protocol.js";
import type { Session } from "../page/session.js";

/** The table of contents; the chapter that is shown is marked. */
export function contentsPanel(session: Session, goTo: (href: string) => void): TemplateResult {
  const { chapters } = session.opened;
  if (chapters.length === 0) return html`<p class="soft">This book has no table of contents.</p>`;
  return html`<nav aria-label="Chapters">${list(chapters, session.shown?.chapterHref ?? "", goTo)}</nav>`;
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
            ${label || "Untitled"}
          </button>
          ${children.length > 0 ? list(children, shown, goTo) : ""}
        </li>`,
    )}
  </ol>`;
}
