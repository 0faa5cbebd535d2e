import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../icons/icon.js";
import { drawing, type Drawing } from "./drawings.js";
import { t } from "../language/translate.js";

export interface Notice {
  readonly heading: string;
  readonly text?: unknown;
  /** Stands over the heading. */
  readonly drawing?: Drawing;
  /** Something went wrong: it is read out at once. */
  readonly isProblem?: boolean;
  /** It is the whole page, and its heading is the page's. */
  readonly isPage?: boolean;
  /** What can be done about it: a button, or a link where `href` is given. */
  readonly action?: NoticeAction | undefined;
}

export type NoticeAction =
  | { readonly label: string; readonly icon?: string; readonly run: () => void }
  | { readonly label: string; readonly icon?: string; readonly href: string };

/** Stands where there is nothing to show: why, and what to do about it. Looks as `notices` says. */
export function notice(notice: Notice): TemplateResult {
  const { heading, text, isProblem = false, isPage = false } = notice;
  return html`<div class="notice${notice.drawing ? " drawn" : ""}" role=${isProblem ? "alert" : "status"}>
    ${notice.drawing ? drawing(notice.drawing) : nothing}
    ${isPage ? html`<h1 class="notice-heading">${heading}</h1>` : html`<h2 class="notice-heading">${heading}</h2>`}
    ${text === undefined ? nothing : html`<p class="soft">${text}</p>`} ${notice.action ? act(notice.action) : nothing}
  </div>`;
}

function act(action: NoticeAction): TemplateResult {
  const inside = html`${action.icon ? icon(action.icon) : nothing}${action.label}`;
  return "href" in action
    ? html`<a class="button primary" href=${action.href}>${inside}</a>`
    : html`<button type="button" class="primary" @click=${action.run}>${inside}</button>`;
}

/** A line that says what could not be fetched, with a button to try again. */
export function failure(message: string, retry: () => void): TemplateResult {
  return html`<p class="problem" role="alert">
    ${message} <button type="button" @click=${retry}>${t(["kit:tryAgain", "Try again"])}</button>
  </p>`;
}

/** A line for something that is on its way. */
export function waiting(text = t(["kit:oneMoment", "One moment …"])): TemplateResult {
  return html`<p class="soft" role="status">${text}</p>`;
}

/** Holds the place of a page's content until it is there: lines of text, or a wall of covers. */
export function skeleton(
  text = t(["kit:oneMoment", "One moment …"]),
  kind: "lines" | "covers" = "lines",
): TemplateResult {
  const pieces = Array.from({ length: kind === "covers" ? 12 : 3 }, () => html`<i></i>`);
  return html`<div class="skeleton ${kind}" role="status"><span class="hidden">${text}</span>${pieces}</div>`;
}

/** What went wrong with an action, or nothing. */
export function problem(text: string | undefined): TemplateResult | typeof nothing {
  return text === undefined ? nothing : html`<p class="problem" role="alert">${text}</p>`;
}
