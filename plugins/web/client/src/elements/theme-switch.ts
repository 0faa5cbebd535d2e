import { icon, t } from "@longbox/sdk/ui";
import { css, html, LitElement } from "lit";
import { customElement, property } from "lit/decorators.js";
import { Watch } from "../shell/observable.js";
import type { Shell } from "../shell/shell.js";
import type { Theme } from "../shell/theme.js";
import { base } from "../styles/index.js";

const choices: readonly { readonly theme: Theme; readonly label: string; readonly drawing: string }[] = [
  { theme: "light", label: t("themeSwitch.light"), drawing: "sun" },
  { theme: "system", label: t("themeSwitch.followTheSystem"), drawing: "system" },
  { theme: "dark", label: t("themeSwitch.dark"), drawing: "moon" },
  { theme: "black", label: t("themeSwitch.black"), drawing: "black" },
];

/** Switches between the light, the dark and the black theme and that of the system. */
@customElement("lb-theme-switch")
export class ThemeSwitch extends LitElement {
  @property({ attribute: false }) longbox!: Shell;

  constructor() {
    super();
    new Watch(this, () => [this.longbox.theme.choice]);
  }

  static override styles = [
    base,
    css`
      fieldset {
        display: flex;
        width: fit-content;
        padding: 3px;
        border: 1px solid var(--lb-line);
        border-radius: 999px;
        background: var(--lb-page);
      }
      label {
        position: relative;
        display: grid;
        place-items: center;
        width: 2.5rem;
        height: 2rem;
        border-radius: 999px;
        color: var(--lb-ink-soft);
        cursor: pointer;
      }
      input {
        position: absolute;
        inset: 0;
        margin: 0;
        opacity: 0;
        cursor: pointer;
      }
      label:has(:checked) {
        background: var(--lb-raised);
        box-shadow: var(--lb-shadow-1);
        color: var(--lb-ink);
      }
      label:has(:focus-visible) {
        outline: var(--lb-focus);
      }
    `,
  ];

  override render() {
    const chosen = this.longbox.theme.choice.value;
    return html`<fieldset>
      <legend class="hidden">${t("themeSwitch.theme")}</legend>
      ${choices.map(
        ({ theme, label, drawing }) =>
          html`<label title=${label}>
            <input
              type="radio"
              name="theme"
              aria-label=${label}
              .checked=${chosen === theme}
              @change=${() => this.longbox.theme.set(theme)}
            />
            ${icon(drawing)}
          </label>`,
      )}
    </fieldset>`;
  }
}
