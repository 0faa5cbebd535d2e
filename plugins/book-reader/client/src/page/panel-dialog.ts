import type { Dialog } from "@longbox/sdk/ui";
import type { TemplateResult } from "lit";
import { contentsPanel } from "../panels/contents.js";
import { helpPanel } from "../panels/help.js";
import { lookPanel, speechPanel } from "../panels/look.js";
import { notesPanel } from "../panels/notes.js";
import { searchPanel } from "../panels/search.js";
import { panels, type Panel } from "./bars.js";
import type { Session } from "./session.js";

interface PanelActions {
  open(panel: Panel): void;
  closed(): void;
}

/** The dialog of the panel that is open. */
export function panelDialog(
  dialog: Dialog,
  { session, panel }: { readonly session: Session; readonly panel: Panel | undefined },
  { open, closed }: PanelActions,
): TemplateResult {
  const actions = { open, close: () => dialog.close() };
  return dialog.render(panel && panels[panel].label, () => panel && content(session, panel, actions), {
    look: `side ${panel ?? ""}`,
    closesOutside: true,
    closed,
  });
}

function content(
  session: Session,
  panel: Panel,
  { close, open }: { readonly open: (panel: Panel) => void; readonly close: () => void },
): TemplateResult {
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
