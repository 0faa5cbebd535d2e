import { html, nothing, type TemplateResult } from "lit";
import type { ClientBadge } from "../../client.js";
import { icon } from "../icons/icon.js";
import { styled } from "../styled.js";
import { cover } from "./cover.js";
import { t } from "../language/translate.js";

/** A cover with its caption, as a link; the same in every wall and strip. */
export interface Card {
  readonly href: string;
  readonly cover: string | null | undefined;
  readonly title: string;
  /** What following the link does, for screen readers, where it does not open the page of the thing: `Read`. */
  readonly verb?: string;
  /** The small line under the title. */
  readonly note: string;
  /** The text of the placeholder while there is no picture; the title by default. */
  readonly sleeve?: string;
  readonly number?: string;
  readonly badges?: readonly ClientBadge[];
  readonly isMissing?: boolean;
  readonly isBlurred?: boolean;
  /** One word for a problem, such as `damaged`. */
  readonly problem?: string | undefined;
}

export interface CardOptions {
  /** -1 for all cards of a wall except the one that has the keyboard focus. */
  readonly tabindex?: number;
  readonly sizes?: string;
  readonly isEager?: boolean;
  readonly index?: number;
  readonly isSelected?: boolean;
}

/** Figures alone have no direction of their own. */
const letters = /\p{L}/u;

/** Styled by `cards` and `covers`. */
export function card(card: Card, options: CardOptions = {}): TemplateResult {
  return html`<a
    class="card-link${options.isSelected ? " selected" : ""}"
    href=${card.href}
    tabindex=${options.tabindex ?? 0}
    data-index=${options.index ?? nothing}
    draggable="false"
  >
    <span class="card-cover">
      ${cover({
        path: card.cover,
        title: card.sleeve ?? card.title,
        number: card.number ?? "",
        sizes: options.sizes ?? "160px",
        isEager: options.isEager ?? false,
        isMissing: card.isMissing ?? false,
        isBlurred: card.isBlurred ?? false,
      })}
    </span>
    ${card.verb === undefined ? nothing : html`<span class="hidden">${card.verb} </span>`}<span class="caption"
      >${card.title}</span
    >
    <span class=${letters.test(card.note) ? "note named" : "note"}
      >${card.problem ? html`<b class="bad">${card.problem}</b> ` : nothing}${card.note}</span
    >
    ${card.badges?.length ? html`<span class="badges">${card.badges.map(badge)}</span>` : nothing}
    ${options.isSelected ? html`<span class="chosen">${icon("check")}<span class="hidden">${t(["kit:selected", "selected"])}</span></span>` : nothing}
  </a>`;
}

/** A badge on a cover or beside a name. Styled by `badges`. */
export function badge(badge: ClientBadge): TemplateResult {
  const spoken = html`<span class="hidden">${badge.label} </span>`;
  switch (badge.kind) {
    case "count":
      return html`<span class="badge count"
        ><span aria-hidden="true">${badge.value > 999 ? "999+" : badge.value}</span>${spoken}</span
      >`;
    case "tick":
      return html`<span class="badge tick">${icon("check")}${spoken}</span>`;
    case "progress":
      return html`<span class="badge bar" ${styled({ "--part": `${Math.round(badge.value * 100)}%` })}
        >${spoken}</span
      >`;
    case "mark":
      return html`<span class="badge mark">${icon(badge.icon)}${spoken}</span>`;
  }
}
