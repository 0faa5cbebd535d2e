import { html, type TemplateResult } from "lit";
import type { Reading } from "../reading.js";
import type { ReaderAction } from "../commands.js";
import type { Choices } from "./choices.js";
import "./overview.js";
import "./view-panel.js";

/** What the panel of choices does. */
export interface PanelActions {
  choose(change: Partial<Choices>): void;
  zones(): void;
  keepForType(): void;
  togglePrivate(): void;
  act(action: ReaderAction): void;
}

/** How pages are shown. */
export function viewPanel(reading: Reading, actions: PanelActions): TemplateResult {
  return html`<longbox-view-panel
    .choices=${reading.choices}
    .profile=${reading.profile}
    .private=${reading.isPrivate}
    .strip=${reading.mode === "continuous"}
    @choose=${(event: CustomEvent<Partial<Choices>>) => actions.choose(event.detail)}
    @zones=${() => actions.zones()}
    @keep=${() => actions.keepForType()}
    @private=${() => actions.togglePrivate()}
    @act=${(event: CustomEvent<ReaderAction>) => actions.act(event.detail)}
  ></longbox-view-panel>`;
}

/** All pages in a grid. */
export function overview(reading: Reading, goTo: (page: number) => void): TemplateResult {
  return html`<longbox-reader-overview
    .address=${reading.address}
    .pageCount=${reading.issue.pageCount}
    .shown=${reading.shown}
    .bookmarks=${reading.bookmarks}
    .notes=${reading.notes.pages}
    .direction=${reading.choices.direction}
    @page=${(event: CustomEvent<number>) => goTo(event.detail)}
  ></longbox-reader-overview>`;
}

/** How far the issue is read, as a line at the edge of the window. */
export function thread({ choices, issue, lastShown }: Reading): TemplateResult {
  return html`<progress
    class="thread ${choices.direction}"
    max=${issue.pageCount}
    .value=${lastShown + 1}
    aria-hidden="true"
  ></progress>`;
}
