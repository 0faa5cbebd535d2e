import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { ClientNotice, ClientNoticeLevel } from "../../client.js";
import type { Releasable } from "../../releasable.js";
import { icon } from "../icons/icon.js";
import { progress } from "./progress.js";
import { t } from "../language/translate.js";

/** Something that is said in passing, as it is shown. */
export interface Toast extends ClientNotice {
  readonly id: number;
  readonly message: string;
  readonly level: ClientNoticeLevel;
}

const shownMs = { info: 5000, success: 4000, warning: 8000, danger: 12_000 } satisfies Record<
  ClientNoticeLevel,
  number
>;
const most = 3;

/**
 * What is said to the user in passing. A message with a key replaces the one before it with that key; good news
 * replaces good news; at most three stand at once. What offers an action, or shows progress, stays until it is
 * dismissed or replaced.
 */
export class Toasts {
  #shown: readonly Toast[] = [];
  #last = 0;
  readonly #listeners = new Set<() => void>();

  get shown(): readonly Toast[] {
    return this.#shown;
  }

  onChanged(listener: () => void): Releasable {
    this.#listeners.add(listener);
    return { release: () => void this.#listeners.delete(listener) };
  }

  add(message: string, options: ClientNotice = {}): void {
    const toast: Toast = { ...options, id: ++this.#last, message, level: options.level ?? "info" };
    this.#put([...this.#shown.filter((earlier) => !isReplaced(earlier, toast)), toast].slice(-most));
    if (!stays(toast)) setTimeout(() => this.dismiss(toast.id), shownMs[toast.level]);
  }

  dismiss(id: number): void {
    this.#put(this.#shown.filter((toast) => toast.id !== id));
  }

  /** Takes the message with a key away. */
  forget(key: string): void {
    this.#put(this.#shown.filter((toast) => toast.key !== key));
  }

  #put(shown: readonly Toast[]): void {
    this.#shown = shown;
    for (const listener of [...this.#listeners]) listener();
  }
}

function stays({ action, progress: part }: Toast): boolean {
  return action !== undefined || part !== undefined;
}

function isReplaced(earlier: Toast, later: Toast): boolean {
  if (earlier.key !== undefined || later.key !== undefined) return earlier.key === later.key;
  if (earlier.message === later.message) return true;
  return isGood(earlier) && isGood(later) && !stays(earlier);
}

function isGood({ level }: Toast): boolean {
  return level === "info" || level === "success";
}

/** Looks as `toasts` says; read out when one comes. */
export function toastList(toasts: Toasts): TemplateResult {
  return html`<div class="toasts" role="status" aria-live="polite">
    ${repeat(
      toasts.shown,
      (toast) => toast.key ?? toast.id,
      (toast) => toastTemplate(toast, () => toasts.dismiss(toast.id)),
    )}
  </div>`;
}

function toastTemplate({ message, level, action, progress: part }: Toast, dismiss: () => void): TemplateResult {
  return html`<div class="toast ${level}">
    <div class="toast-text">
      <p>${message}</p>
      ${part ? progress({ ...part, label: message }) : nothing}
    </div>
    ${action ? html`<button type="button" class="primary" @click=${action.run}>${action.label}</button>` : nothing}
    <button
      type="button"
      class="quiet round"
      aria-label=${t(["kit:dismiss", "Dismiss"])}
      title=${t(["kit:dismiss", "Dismiss"])}
      @click=${dismiss}
    >
      ${icon("close")}
    </button>
  </div>`;
}
