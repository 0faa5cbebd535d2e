import { html, nothing, type TemplateResult } from "lit";
import type { OfferedAction } from "../../client.js";
import { icon } from "../icons/icon.js";
import { menuButton, rule, type MenuItem } from "../menus/menu.js";

export interface ActionBarOptions {
  /** What is written on none of the buttons: what the menu behind ⋯ is for. */
  readonly label: string;
  /** Entries of the page itself, above those of plugins. */
  readonly own?: readonly MenuItem[];
  /** Puts everything into the menu, for narrow places such as a row. */
  readonly isCompact?: boolean;
  /** How many primary actions stand as buttons; the rest is in the menu. Default 2. */
  readonly mostButtons?: number;
}

/** The primary actions as buttons, the first of them the loud one, and the rest behind ⋯. Looks as `buttons` says. */
export function actionBar(actions: readonly OfferedAction[], options: ActionBarOptions): TemplateResult {
  const { own = [], label, mostButtons = 2 } = options;
  const buttons = options.isCompact ? [] : actions.filter(({ isPrimary }) => isPrimary).slice(0, mostButtons);
  const rest = actions.filter((action) => !buttons.includes(action));
  const items = [...own, ...(own.length > 0 && rest.length > 0 ? [rule] : []), ...actionItems(rest)];
  return html`${buttons.map((action, index) => actionButton(action, index === 0 ? "primary" : undefined))}
  ${items.length === 0 ? nothing : menuButton(nothing, () => ({ label, items }), { style: options.isCompact ? "quiet round" : "round", label, icon: "more" })}`;
}

/** Actions as entries of a menu; those that destroy something at its foot. */
export function actionItems(actions: readonly OfferedAction[]): ReadonlyArray<MenuItem | typeof rule> {
  const harmless = actions.filter(({ isDangerous }) => !isDangerous).map(item);
  const dangerous = actions.filter(({ isDangerous }) => isDangerous).map(item);
  return harmless.length > 0 && dangerous.length > 0 ? [...harmless, rule, ...dangerous] : [...harmless, ...dangerous];
}

export function actionButton(action: OfferedAction, style?: string): TemplateResult {
  const inside = html`${action.icon ? icon(action.icon) : nothing}${action.label}`;
  if (action.href !== undefined) return html`<a class="button ${style ?? ""}" href=${action.href}>${inside}</a>`;
  return html`<button
    type="button"
    class=${style ?? (action.isDangerous ? "danger" : nothing)}
    @click=${() => action.run()}
  >
    ${inside}
  </button>`;
}

function item(action: OfferedAction): MenuItem {
  const { label, icon: drawing, isDangerous } = action;
  return { label, icon: drawing, isDangerous, run: () => action.run() };
}
