import type { BookBookmark } from "@longbox/books/api";
import { icon, percent, t, valueOf } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { asJson, asMarkdown, download } from "../page/exporting.js";
import { colors } from "../page/highlights.js";
import type { Session } from "../page/session.js";

/** Bookmarks, highlights and notes of the book: to go to, to change, to export. */
export function notesPanel(session: Session, goTo: (entry: BookBookmark) => void): TemplateResult {
  const { list } = session.highlights;
  if (list.length === 0) return html`<p class="soft">${t("notes.selectATextTo")}</p>`;
  return html`<ol class="notes">
      ${list.map((entry) => noteEntry(session, entry, goTo))}
    </ol>
    <div class="row">
      <button type="button" @click=${() => save(session, "md")}>${icon("download")}Markdown</button>
      <button type="button" @click=${() => save(session, "json")}>${icon("download")}JSON</button>
    </div>`;
}

function noteEntry(session: Session, entry: BookBookmark, goTo: (entry: BookBookmark) => void): TemplateResult {
  const { id, text, note, color, fraction } = entry;
  const what = text === null ? "bookmark" : "highlight";
  return html`<li class="note" data-color=${color ?? ""}>
    <button type="button" class="quote" @click=${() => goTo(entry)}>
      ${text ?? html`${icon("bookmark")}${note ?? t("notes.bookmark")}`}
      <span class="soft">${percent(Math.round(fraction * 100), 100)}</span>
    </button>
    ${
      text === null
        ? nothing
        : html`<div class="row">
              ${colorButtons(color, (chosen) => void session.highlights.change(id, { color: chosen }))}
            </div>
            <label class="field"
              >${t("notes.note")}
              <textarea
                rows="2"
                maxlength="10000"
                .value=${note ?? ""}
                @change=${(event: Event) => void session.highlights.change(id, { note: valueOf(event).trim() || null })}
              ></textarea>
            </label>`
    }
    <button type="button" class="quiet" @click=${() => void session.highlights.remove(id)}>
      ${icon("trash")}${t("notes.removeThis", { what })}
    </button>
  </li>`;
}

export function colorButtons(chosen: string | null, choose: (color: string) => void): TemplateResult[] {
  return colors.map(
    (color) =>
      html`<button
        type="button"
        class="color"
        data-color=${color}
        aria-label=${color[0]!.toUpperCase() + color.slice(1)}
        aria-pressed=${chosen === color}
        @click=${() => choose(color)}
      ></button>`,
  );
}

function save(session: Session, kind: "md" | "json"): void {
  const { title, author, highlights } = session;
  const exported = { title, author, entries: highlights.list };
  if (kind === "md") download(`${title}.md`, "text/markdown", asMarkdown(exported));
  else download(`${title}.json`, "application/json", asJson(exported));
}
