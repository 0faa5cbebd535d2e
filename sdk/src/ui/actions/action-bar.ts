import { html, nothing, type TemplateResult } from "lit";
import type { OfferedAction } from "../../client.js";
import { icon } from "../icons/icon.js";
import { menuButton, rule, type MenuItem } from "../menus/menu.js";

export interface ActionBarOptions {
  /** The accessible label of the menu behind ⋯. */
  readonly label: string;
  /** Entries of the page itself, above those of plugins; destructive ones stand at the end. */
  readonly own?: readonly MenuItem[];
  /** Puts everything into the menu, for narrow places such as a row. */
  readonly isCompact?: boolean;
  /** How many primary actions are shown as buttons; the others are in the menu. Default 2. */
  readonly mostButtons?: number;
  /** No button is emphasised, as in the rows of a list, of which many stand on one page. */
  readonly isPlain?: boolean;
}

/** The primary actions as buttons, the first of them emphasised, and the others in a menu. Styled by `buttons`. */
export function actionBar(actions: readonly OfferedAction[], options: ActionBarOptions): TemplateResult {
  const { own = [], label, mostButtons = 2, isPlain = false } = options;
  const buttons = options.isCompact ? [] : actions.filter(({ isPrimary }) => isPrimary).slice(0, mostButtons);
  const rest = actions.filter((action) => !buttons.includes(action));
  const harmless = [
    own.filter((entry) => !entry.isDangerous),
    actionItems(rest.filter((action) => !action.isDangerous)),
  ];
  const dangerous = [
    ...own.filter((entry) => entry.isDangerous),
    ...actionItems(rest.filter((action) => action.isDangerous)),
  ];
  const items = parted([...harmless, dangerous]);
  return html`${buttons.map((action, index) => actionButton(action, index === 0 && !isPlain ? "primary" : undefined))}
  ${items.length === 0 ? nothing : menuButton(nothing, () => ({ label, items }), { style: options.isCompact ? "quiet round" : "round", label, icon: "more" })}`;
}

type Entries = ReadonlyArray<MenuItem | typeof rule>;

/** Entries with a rule between each two groups. */
function parted(groups: readonly Entries[]): Entries {
  return groups.filter((group) => group.length > 0).flatMap((group, at) => (at === 0 ? group : [rule, ...group]));
}

/** Actions as entries of a menu; destructive ones at the end. */
export function actionItems(actions: readonly OfferedAction[]): ReadonlyArray<MenuItem | typeof rule> {
  const harmless = actions.filter(({ isDangerous }) => !isDangerous).map(item);
  const dangerous = actions.filter(({ isDangerous }) => isDangerous).map(item);
  return parted([harmless, dangerous]);
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
