import { html, type TemplateResult } from "lit";
import { copyTextOf } from "./copy-text.js";
import { t } from "./language/translate.js";

export interface ShownOnce {
  /** A key, a password, or an address that holds one. */
  readonly secret: string;
  /** What is said above it: that it will not be shown again. */
  readonly notice: string;
  /** What is said after it was copied. */
  readonly copied: string;
  /** Runs the copying and tells of its end, as {@link Action.run} does. */
  readonly run: (copying: () => Promise<void>, copied: string) => unknown;
}

/** A secret that was just made and is shown only now, with a button that copies it. Its styles are in `surfaces`. */
export function shownOnce({ secret, notice, copied, run }: ShownOnce): TemplateResult {
  const copy = ({ currentTarget }: Event): void => {
    const shown = (currentTarget as HTMLElement).closest(".shown-once")?.querySelector("code") ?? null;
    run(() => copyTextOf(shown), copied);
  };
  return html`<div class="shown-once stack">
    <p role="status"><b>${notice}</b></p>
    <code>${secret}</code>
    <div><button type="button" @click=${copy}>${t(["kit:copy", "Copy"])}</button></div>
  </div>`;
}
