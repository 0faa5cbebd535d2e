import { base, buttons, Dialog, dialogs, t } from "@longbox/sdk/ui";
import { css, html, LitElement, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { withKey } from "./key-choices.js";
import { commandLabels, keyLabel, keyOf, usualKeys, type Command, type KeyMap } from "./shortcuts.js";

/** The keys, each of which can be changed, and the gestures. Dispatches `keys` (detail: the changed key map). */
@customElement("longbox-reader-help")
export class ReaderHelp extends LitElement {
  @property({ attribute: false }) keys: KeyMap = usualKeys;
  /** The command that waits for its new key. */
  @state() private changing: Command | undefined;
  readonly #dialog = new Dialog(this);

  static override styles = [
    base,
    buttons,
    dialogs,
    css`
      @media (width >= 40rem) {
        dialog {
          width: 34rem;
        }
      }
      h2 {
        font: 700 var(--lb-text-l) / 1.2 var(--lb-font-display);
      }
      ul {
        display: grid;
      }
      li {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: var(--lb-space-3);
        padding-block: 2px;
        border-bottom: 1px solid var(--lb-line);
      }
      .key {
        justify-content: end;
        min-width: 9rem;
        min-height: 40px;
        border: 1px solid transparent;
        border-radius: var(--lb-radius-m);
        background: none;
        color: var(--lb-accent);
        font: 600 var(--lb-text-s) / 1.2 var(--lb-font-mono);
        text-align: end;
        cursor: pointer;
      }
      .key:hover,
      .key[aria-pressed="true"] {
        border-color: var(--lb-accent);
      }
      .back {
        justify-self: start;
      }
      p {
        color: var(--lb-ink-soft);
      }
    `,
  ];

  get isOpen(): boolean {
    return this.#dialog.isOpen;
  }

  show(): void {
    void this.#dialog.open();
  }

  close(): void {
    this.#dialog.close();
  }

  override render(): TemplateResult {
    return this.#dialog.render(t("helpDialog.keysAndGestures"), () => this.#content());
  }

  #content(): TemplateResult {
    return html`<p>${t("helpDialog.chooseAKeyTo")}</p>
      <ul>
        ${(Object.keys(commandLabels) as Command[]).map((command) => this.#line(command))}
      </ul>
      <p>${t("helpDialog.tapTheSidesTo")}</p>
      <button class="back" type="button" @click=${() => this.#say(usualKeys)}>
        ${t("helpDialog.useTheUsualKeys")}
      </button>`;
  }

  #line(command: Command): TemplateResult {
    const isChanging = this.changing === command;
    const keys = this.keys[command].map(keyLabel).join(", ") || t("helpDialog.noKey");
    return html`<li>
      <span id=${command}>${commandLabels[command]}</span>
      <button
        class="key"
        type="button"
        aria-describedby=${command}
        aria-pressed=${isChanging}
        @click=${() => (this.changing = isChanging ? undefined : command)}
        @blur=${() => (this.changing = undefined)}
        @keydown=${(event: KeyboardEvent) => isChanging && this.#take(event, command)}
      >
        ${isChanging ? t("helpDialog.pressAKey") : html`<span dir="ltr">${keys}</span>`}
      </button>
    </li>`;
  }

  /** Every key but Tab, which leaves the button, and Escape, which keeps the key as it was. */
  #take(event: KeyboardEvent, command: Command): void {
    const key = keyOf(event);
    if (key === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.changing = undefined;
    if (key !== "Escape") this.#say(withKey(this.keys, command, key));
  }

  #say(keys: KeyMap): void {
    this.dispatchEvent(new CustomEvent("keys", { detail: keys }));
  }
}
