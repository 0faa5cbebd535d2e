import type { ClientSubject } from "@longbox/sdk/client";
import { messageOf, toggle, t } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { ifDefined } from "lit/directives/if-defined.js";
import { ApiFailure } from "../../shell/api.js";
import {
  fieldsOf,
  fromText,
  NotAValue,
  toText,
  type SettingField,
  type SettingSchema,
} from "../../shell/setting-fields.js";
import type { Shell } from "../../shell/shell.js";
import "./setting-list.js";
import "./settings-test.js";
import "../slot.js";
import { base, buttons, forms, surfaces, type } from "../../styles/index.js";

/**
 * One group of settings as a form. Only changed values are sent. Dispatches `saved` with all settings of the server.
 */
@customElement("lb-settings-group")
export class SettingsGroup extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  @property() group = "";
  @property() heading = "";
  @property({ attribute: false }) schema: SettingSchema = {};
  @property({ attribute: false }) values: Readonly<Record<string, unknown>> = {};
  @state() private changed: ReadonlyMap<string, string> = new Map();
  @state() private problems: ReadonlyMap<string, string> = new Map();
  @state() private busy = false;

  #subject: ClientSubject = {};
  /** The values that a test gets, new secrets included. */
  #tested: Readonly<Record<string, unknown>> = {};
  #drafted: ReadonlyMap<string, string> | undefined;

  static override styles = [
    base,
    type,
    buttons,
    forms,
    surfaces,
    css`
      :host {
        display: block;
        scroll-margin-top: 5.5rem;
      }
      .card h3 {
        margin-bottom: var(--lb-space-4);
        font-size: var(--lb-text-l);
      }
      .folded {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--lb-space-4);
        padding-top: var(--lb-space-3);
      }
      summary {
        width: fit-content;
        min-height: 2.5rem;
        color: var(--lb-ink-soft);
        line-height: 2.5rem;
        cursor: pointer;
      }
      .flag {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--lb-space-1);
      }
      .listed {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--lb-space-2);
      }
      .listed h4 {
        margin: 0;
        font-size: 1rem;
      }
      lb-slot[filled] {
        display: block;
        margin-top: var(--lb-space-4);
      }
      textarea {
        font-family: var(--lb-font-mono);
        font-size: 1rem;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.tabIndex = -1;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("values") || changed.has("schema") || this.#drafted !== this.changed) this.#describe();
  }

  override render() {
    return html`<section class="card" aria-labelledby="heading">
      <h3 id="heading">${this.heading}</h3>
      <form @submit=${this.#submit}>
        ${this.problems.has("") ? html`<p class="problem" role="alert">${this.problems.get("")}</p>` : nothing}
        ${this.#fields()}
        <div class="row">
          <button class="primary" ?disabled=${this.busy || this.changed.size === 0}>${t("settingsGroup.save")}</button>
          ${this.changed.size > 0 ? html`<button type="button" class="quiet" @click=${this.#forget}>${t("settingsGroup.undo")}</button>` : nothing}
        </div>
      </form>
      ${this.#test()}
      <lb-slot name="settings.${this.group}" .longbox=${this.longbox} .subject=${this.#subject}></lb-slot>
    </section>`;
  }

  /** What few people change is folded away, unless something in it is wrong. */
  #fields() {
    const fields = fieldsOf(this.schema);
    const folded = fields.filter((field) => field.isAdvanced);
    const shown = fields.filter((field) => !field.isAdvanced);
    const isWrong = folded.some(({ key }) => this.problems.has(key));
    return html`${shown.map((field) => this.#field(field))}
    ${
      folded.length === 0
        ? nothing
        : html`<details ?open=${isWrong || shown.length === 0}>
            <summary>${t("settingsGroup.advanced")}</summary>
            <div class="folded">${folded.map((field) => this.#field(field))}</div>
          </details>`
    }`;
  }

  #test() {
    const { test } = this.schema;
    if (test === undefined) return nothing;
    return html`<lb-settings-test
      label=${this.heading}
      path=${test}
      .longbox=${this.longbox}
      .values=${this.#tested}
    ></lb-settings-test>`;
  }

  #field(field: SettingField) {
    const value = this.changed.get(field.key) ?? toText(field, this.values[field.key]);
    const problem = this.problems.get(field.key);
    const about = html`<div id="${field.key}-about">
      ${problem ? html`<p class="problem">${problem}</p>` : field.hint ? html`<p class="hint">${field.hint}</p>` : nothing}
    </div>`;
    if (field.kind === "flag") {
      return html`<div class="flag">
        ${toggle(field.label, value === "true", (isOn) => this.#change(field, String(isOn)))} ${about}
      </div>`;
    }
    if (field.kind === "list")
      return html`<div class="listed">
        <h4>${field.label}</h4>
        ${about} ${this.#list(field, value)}
      </div>`;
    return html`<div class="field">
      <label for=${field.key}>${field.label}</label>${this.#control(field, value, problem !== undefined)}${about}
    </div>`;
  }

  #list(field: SettingField, value: string) {
    const inside = `${field.key}.`;
    const problems = [...this.problems].filter(([key]) => key.startsWith(inside));
    return html`<lb-setting-list
      label=${field.label}
      .schema=${field.entry ?? {}}
      .longbox=${this.longbox}
      .test=${field.test}
      .entries=${value === "" ? [] : JSON.parse(value)}
      .problems=${new Map(problems.map(([key, problem]) => [key.slice(inside.length), problem]))}
      @changed=${(event: CustomEvent<unknown>) => this.#change(field, toText(field, event.detail))}
    ></lb-setting-list>`;
  }

  #control(field: SettingField, value: string, wrong: boolean) {
    const changed = (event: Event): void => this.#change(field, (event.target as HTMLInputElement).value);
    const about = `${field.key}-about`;
    if (field.kind === "choice") {
      return html`<select id=${field.key} aria-describedby=${about} @change=${changed}>
        ${field.choices.map((choice) => html`<option value=${choice} .selected=${live(choice === value)}>${field.labels[choice] ?? choice}</option>`)}
      </select>`;
    }
    if (field.kind === "lines" || field.kind === "json") {
      return html`<textarea
        id=${field.key}
        aria-describedby=${about}
        aria-invalid=${wrong}
        spellcheck="false"
        .value=${value}
        @input=${changed}
      ></textarea>`;
    }
    const type = field.kind === "secret" ? "password" : field.kind === "number" ? "number" : "text";
    return html`<input
      id=${field.key}
      type=${type}
      step=${ifDefined(field.kind === "number" ? (field.whole ? 1 : "any") : undefined)}
      min=${ifDefined(field.minimum)}
      max=${ifDefined(field.maximum)}
      autocomplete=${field.kind === "secret" ? "new-password" : "off"}
      aria-describedby=${about}
      aria-invalid=${wrong}
      .value=${value}
      @input=${changed}
    />`;
  }

  #change(field: SettingField, text: string): void {
    const changed = new Map(this.changed);
    if (text === toText(field, this.values[field.key])) changed.delete(field.key);
    else changed.set(field.key, text);
    this.changed = changed;
    this.#forgive(field);
  }

  /** What was wrong with a field, or with the entries of a list, is judged again when it is saved. */
  #forgive({ key }: SettingField): void {
    const isOther = (path: string): boolean => path !== "" && path !== key && !path.startsWith(`${key}.`);
    this.problems = new Map([...this.problems].filter(([path]) => isOther(path)));
  }

  /**
   * Passes the values as they would be saved, without invalid ones, to the elements that plugins show beside the form.
   */
  #describe(): void {
    const values: Record<string, unknown> = { ...this.values };
    const secrets: Record<string, unknown> = {};
    for (const field of fieldsOf(this.schema)) {
      const text = this.changed.get(field.key);
      if (text === undefined) continue;
      try {
        (field.kind === "secret" ? secrets : values)[field.key] = fromText(field, text);
      } catch (thrown) {
        if (!(thrown instanceof NotAValue)) throw thrown;
      }
    }
    this.#drafted = this.changed;
    this.#subject = { values };
    this.#tested = { ...values, ...secrets };
  }

  #forget(): void {
    this.changed = new Map();
    this.problems = new Map();
  }

  /** What was typed while the request was on its way stays as a change of its own. */
  #forgetSent(sent: ReadonlyMap<string, string>): void {
    this.changed = new Map([...this.changed].filter(([key, text]) => sent.get(key) !== text));
  }

  async #submit(event: Event): Promise<void> {
    event.preventDefault();
    const values = this.#read();
    if (!values) return;
    const sent = this.changed;
    this.busy = true;
    try {
      const all = await this.longbox.api("/api/settings", { method: "POST", body: { [this.group]: values } });
      this.#forgetSent(sent);
      this.longbox.notify(t("settingsGroup.saved", { heading: this.heading }), { level: "success" });
      this.dispatchEvent(new CustomEvent("saved", { detail: all }));
    } catch (thrown) {
      this.problems = this.#problemsOf(thrown);
    } finally {
      this.busy = false;
    }
  }

  /** The changed values, or undefined when one of them is invalid. */
  #read(): Record<string, unknown> | undefined {
    const problems = new Map<string, string>();
    const values: Record<string, unknown> = {};
    for (const field of fieldsOf(this.schema)) {
      const text = this.changed.get(field.key);
      if (text === undefined) continue;
      try {
        values[field.key] = fromText(field, text);
      } catch (thrown) {
        if (!(thrown instanceof NotAValue)) throw thrown;
        problems.set(field.key, thrown.message);
      }
    }
    this.problems = problems;
    return problems.size === 0 ? values : undefined;
  }

  #problemsOf(thrown: unknown): ReadonlyMap<string, string> {
    const problems = new Map<string, string>();
    if (thrown instanceof ApiFailure) {
      for (const { key } of fieldsOf(this.schema)) {
        const problem = thrown.field(`${this.group}.${key}`) ?? thrown.field(key);
        if (problem !== undefined) problems.set(key, problem);
      }
      // Fields of the entries of a list: `group.list.index.field`.
      const named = Object.entries((thrown.details ?? {}) as Record<string, unknown>);
      for (const [path, problem] of named)
        if (path.startsWith(`${this.group}.`)) problems.set(path.slice(this.group.length + 1), String(problem));
    }
    return problems.size > 0 ? problems : new Map([["", messageOf(thrown)]]);
  }
}
