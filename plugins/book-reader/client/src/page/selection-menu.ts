import { t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import type { Box } from "../protocol.js";
import { colorButtons } from "../panels/notes.js";
import type { Session } from "./session.js";

interface Actions {
  note(id: number): void;
  lookUp(text: string): void;
}

/** At a selected text or a tapped highlight: its colours and what can be done with it. */
export function selectionMenu(session: Session, actions: Actions): TemplateResult {
  const { selected, tapped } = session;
  if (tapped) return tappedMenu(session, tapped, actions);
  if (!selected) return html``;
  const highlight = async (color: string) => {
    const id = await session.highlights.highlight(selected, color);
    session.dismiss();
    return id;
  };
  const { dictionary } = session.fetched.book;
  return menu(
    selected.box,
    html`${colorButtons(null, (color) => void highlight(color))}
      <button type="button" @click=${async () => actions.note(await highlight("yellow"))}>
        ${t("selectionMenu.note")}
      </button>
      <button type="button" @click=${() => void navigator.clipboard?.writeText(selected.text)}>
        ${t("selectionMenu.copy")}
      </button>
      ${dictionary === null ? nothing : html`<button type="button" @click=${() => actions.lookUp(selected.text)}>${t("selectionMenu.lookUp")}</button>`}`,
  );
}

function tappedMenu(session: Session, { id, box }: NonNullable<Session["tapped"]>, actions: Actions): TemplateResult {
  const entry = session.highlights.find(id);
  if (!entry) return html``;
  const change = (color: string) => {
    void session.highlights.change(id, { color });
    session.dismiss();
  };
  const remove = () => {
    void session.highlights.remove(id);
    session.dismiss();
  };
  return menu(
    box,
    html`${colorButtons(entry.color, change)}
      <button type="button" @click=${() => actions.note(id)}>
        ${entry.note ? t("selectionMenu.note") : t("selectionMenu.addANote")}
      </button>
      <button type="button" @click=${remove}>${t("selectionMenu.remove")}</button>`,
  );
}

/** Above the text where there is room, else below it. */
function menu(box: Box, content: TemplateResult): TemplateResult {
  const above = box.top > 120;
  return html`<div
    class="selection"
    data-left=${Math.round((box.left + box.right) / 2)}
    data-top=${Math.round(above ? box.top : box.bottom)}
    data-side=${above ? "above" : "below"}
    role="group"
    aria-label=${t("selectionMenu.selectedText")}
  >
    ${content}
  </div>`;
}

/** Puts the menu where its text is; the policy of the page allows no style attributes in templates. */
export function placeMenu(root: ParentNode, frame: HTMLElement | null): void {
  const found = root.querySelector<HTMLElement>(".selection");
  if (!found || !frame) return;
  const { left, top, width, height } = frame.getBoundingClientRect();
  const half = found.offsetWidth / 2;
  const x = Math.min(width - half - 8, Math.max(half + 8, Number(found.dataset["left"])));
  const shift = found.dataset["side"] === "above" ? -found.offsetHeight - 10 : 10;
  const y = Math.min(height - found.offsetHeight - 8, Math.max(8, Number(found.dataset["top"]) + shift));
  found.style.setProperty("left", `${left + x - half}px`);
  found.style.setProperty("top", `${top + y}px`);
}
