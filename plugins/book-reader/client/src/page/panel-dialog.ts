import { icon, t } from "@longbox/sdk/ui";
import { html, type TemplateResult } from "lit";
import { contentsPanel } from "../panels/contents.js";
import { helpPanel } from "../panels/help.js";
import { lookPanel, speechPanel } from "../panels/look.js";
import { notesPanel } from "../panels/notes.js";
import { searchPanel } from "../panels/search.js";
import { panels, type Panel } from "./bars.js";
import type { Session } from "./session.js";

interface PanelActions {
  open(panel: Panel): void;
  close(): void;
  closed(): void;
}

/** The dialog of the panel that is open. */
export function panelDialog(session: Session, panel: Panel | undefined, actions: PanelActions): TemplateResult {
  if (!panel) return html``;
  return html`<dialog
    class="panel ${panel}"
    aria-label=${panels[panel].label}
    @close=${() => actions.closed()}
    @click=${closeOutside}
  >
    <div class="row spread">
      <h2>${panels[panel].label}</h2>
      <button type="button" class="plain" aria-label=${t("panelDialog.close")} @click=${() => actions.close()}>
        ${icon("close")}
      </button>
    </div>
    ${content(session, panel, actions)}
  </dialog>`;
}

function content(session: Session, panel: Panel, { close, open }: PanelActions): TemplateResult {
  const closing =
    <T extends unknown[]>(run: (...input: T) => unknown) =>
    (...input: T): void => {
      close();
      void run(...input);
    };
  const { engine } = session;
  const goToHref = closing((href: string) => engine.call("goToHref", href));
  if (panel === "contents")
    return contentsPanel(session, { goTo: goToHref, goWhereListened: closing(() => session.goWhereListened()) });
  if (panel === "search")
    return searchPanel(
      session,
      closing(({ cfi }) => engine.call("goToFinding", cfi)),
    );
  if (panel === "notes")
    return notesPanel(
      session,
      closing(({ locator, fraction, text }) =>
        engine.call("goToPlace", { locator, fraction, text: text ?? undefined }),
      ),
    );
  if (panel === "look") return lookPanel(session, () => open("help"));
  return panel === "speech" ? speechPanel(session) : helpPanel(session.opened.rightToLeft);
}

/** A click beside the panel. */
function closeOutside({ target, currentTarget, clientX, clientY }: MouseEvent): void {
  const dialog = currentTarget as HTMLDialogElement;
  const { left, top } = dialog.getBoundingClientRect();
  if (target === dialog && (clientX < left || clientY < top)) dialog.close();
}
