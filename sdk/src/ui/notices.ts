import { html, nothing, type TemplateResult } from "lit";

export interface Notice {
  readonly heading: string;
  readonly text: string;
  /** Something went wrong: it is read out at once. */
  readonly isProblem?: boolean;
  /** What can be done about it. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** Stands where there is nothing to show: why, and what to do about it. Looks as `surfaces` says. */
export function notice({ heading, text, isProblem = false, action }: Notice): TemplateResult {
  return html`<div class="notice" role=${isProblem ? "alert" : "status"}>
    <h2>${heading}</h2>
    <p class=${isProblem ? "problem" : "soft"}>${text}</p>
    ${action ? html`<button type="button" @click=${action.run}>${action.label}</button>` : nothing}
  </div>`;
}

/** A line that says what could not be fetched, with a button to try again. */
export function failure(message: string, retry: () => void): TemplateResult {
  return html`<p class="problem" role="alert">${message} <button type="button" @click=${retry}>Try again</button></p>`;
}

/** A line for something that is on its way. */
export function waiting(text = "One moment …"): TemplateResult {
  return html`<p class="soft" role="status">${text}</p>`;
}

/** Holds the place of a page's content until it is there. */
export function skeleton(text = "One moment …"): TemplateResult {
  return html`<div class="skeleton" role="status"><span class="hidden">${text}</span><i></i><i></i><i></i></div>`;
}

/** What went wrong with an action, or nothing. */
export function problem(text: string | undefined): TemplateResult | typeof nothing {
  return text === undefined ? nothing : html`<p class="problem" role="alert">${text}</p>`;
}
