import type { SettingTestResult } from "@longbox/sdk";
import { messageOf, t } from "@longbox/sdk/ui";
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";
import {
  fieldsOf,
  fromText,
  NotAValue,
  toText,
  type SettingField,
  type SettingSchema,
} from "../../shell/setting-fields.js";
import type { Shell } from "../../shell/shell.js";
import { base, buttons, forms, surfaces, type } from "../../styles/index.js";

type Entry = Readonly<Record<string, unknown>>;

/**
 * The form of a setting that is a list of entries, which can be added, removed and reordered. Dispatches `changed` with
 * the list as it would be saved.
 */
@customElement("lb-setting-list")
export class SettingList extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  @property() label = "";
  /** The schema of one entry. */
  @property({ attribute: false }) schema: SettingSchema = {};
  @property({ attribute: false }) entries: readonly Entry[] = [];
  /** The route that tests one entry; undefined when there is none. */
  @property() test: string | undefined;
  /** Error messages by `index.field`. */
  @property({ attribute: false }) problems: ReadonlyMap<string, string> = new Map();
  /** The results of the tests, by the tested entry as JSON. */
  @state() private results: ReadonlyMap<string, SettingTestResult | "testing"> = new Map();

  static override styles = [
    base,
    type,
    buttons,
    forms,
    surfaces,
    css`
      :host {
        display: grid;
        gap: var(--lb-space-3);
      }
      .title {
        font-weight: 600;
      }
      fieldset {
        display: grid;
        gap: var(--lb-space-3);
        padding: var(--lb-space-3);
        border: 1px solid var(--lb-line);
        border-radius: var(--lb-radius, 4px);
      }
    `,
  ];

  override render() {
    return html`${repeat(
        this.entries,
        (entry, at) => entry["id"] ?? at,
        (entry, at) => this.#entry(entry, at),
      )}
      <div class="row">
        <button
          type="button"
          aria-label=${t("settingList.addTo", { list: this.label })}
          @click=${() => this.#tell([...this.entries, this.#blank()])}
        >
          ${t("settingList.add")}
        </button>
      </div>`;
  }

  #entry(entry: Entry, at: number) {
    const name = `${this.label} ${at + 1}`;
    const last = this.entries.length - 1;
    return html`<fieldset>
      <legend>${entry["name"] || name}</legend>
      ${this.#fields().map((field) => this.#field(field, entry, at))} ${this.#result(entry)}
      <div class="row">
        ${this.#testButton(entry, name)}
        <button
          type="button"
          class="quiet"
          ?disabled=${at === 0}
          aria-label=${t("settingList.moveUp", { name })}
          @click=${() => this.#move(at, -1)}
        >
          ${t("settingList.up")}
        </button>
        <button
          type="button"
          class="quiet"
          ?disabled=${at === last}
          aria-label=${t("settingList.moveDown", { name })}
          @click=${() => this.#move(at, 1)}
        >
          ${t("settingList.down")}
        </button>
        <button
          type="button"
          class="quiet danger"
          aria-label=${t("settingList.remove", { name })}
          @click=${() => this.#tell(this.entries.toSpliced(at, 1))}
        >
          ${t("settingList.remove2")}
        </button>
      </div>
    </fieldset>`;
  }

  #testButton(entry: Entry, name: string) {
    if (this.test === undefined) return nothing;
    return html`<button
      type="button"
      class="quiet"
      aria-label=${t("settingList.test", { name })}
      ?disabled=${this.results.get(JSON.stringify(entry)) === "testing"}
      @click=${() => this.#try(entry)}
    >
      ${t("settingList.test2")}
    </button>`;
  }

  #result(entry: Entry) {
    const result = this.results.get(JSON.stringify(entry));
    if (result === undefined) return nothing;
    if (result === "testing") return html`<p class="hint" role="status">${t("settingList.testing")}</p>`;
    const version = result.version ? ` (${result.version})` : "";
    return html`<p class=${result.ok ? "hint" : "problem"} role="status">
      ${this.longbox.said(result.message)}${version}
    </p>`;
  }

  async #try(entry: Entry): Promise<void> {
    this.#show(entry, "testing");
    const sent = { method: "POST", body: entry };
    const failed = (thrown: unknown) => ({ ok: false, message: messageOf(thrown) });
    this.#show(entry, await this.longbox.api<SettingTestResult>(this.test!, sent).catch(failed));
  }

  #show(entry: Entry, result: SettingTestResult | "testing"): void {
    this.results = new Map([...this.results, [JSON.stringify(entry), result]]);
  }

  #field(field: SettingField, entry: Entry, at: number) {
    if (field.kind === "list") return this.#nested(field, entry, at);
    const id = `${at}-${field.key}`;
    const problem = this.problems.get(`${at}.${field.key}`);
    const about = html`<div id="${id}-about">
      ${problem ? html`<p class="problem">${problem}</p>` : field.hint ? html`<p class="hint">${field.hint}</p>` : nothing}
    </div>`;
    return html`<div class="field">
      <label for=${id}>${field.label}</label>${this.#control(field, { id, at, value: entry[field.key] })}${about}
    </div>`;
  }

  #nested(field: SettingField, entry: Entry, at: number) {
    const inside = `${at}.${field.key}.`;
    const problems = [...this.problems].filter(([key]) => key.startsWith(inside));
    return html`<div class="field">
      <p class="title">${field.label}</p>
      ${field.hint ? html`<p class="hint">${field.hint}</p>` : nothing}
      <lb-setting-list
        label=${field.label}
        .schema=${field.entry ?? {}}
        .longbox=${this.longbox}
        .entries=${entry[field.key] ?? []}
        .problems=${new Map(problems.map(([key, problem]) => [key.slice(inside.length), problem]))}
        @changed=${({ detail }: CustomEvent<readonly Entry[]>) => this.#replace(at, { ...entry, [field.key]: detail })}
      ></lb-setting-list>
    </div>`;
  }

  #control(field: SettingField, { id, at, value }: { id: string; at: number; value: unknown }) {
    const text = toText(field, value);
    const take = (event: Event) => this.#change(field, at, (event.target as HTMLInputElement).value);
    if (field.kind === "flag")
      return html`<input
        id=${id}
        type="checkbox"
        .checked=${value === true}
        @change=${(event: Event) => this.#change(field, at, String((event.target as HTMLInputElement).checked))}
      />`;
    if (field.kind === "choice")
      return html`<select id=${id} @change=${take}>
        ${field.choices.map((choice) => html`<option value=${choice} .selected=${live(choice === text)}>${field.labels[choice] ?? choice}</option>`)}
      </select>`;
    if (field.kind === "lines" || field.kind === "json")
      return html`<textarea id=${id} spellcheck="false" .value=${text} @change=${take}></textarea>`;
    const type = field.kind === "secret" ? "password" : field.kind === "number" ? "number" : "text";
    const autocomplete = field.kind === "secret" ? "new-password" : "off";
    return html`<input
      id=${id}
      type=${type}
      autocomplete=${autocomplete}
      aria-describedby="${id}-about"
      .value=${text}
      @input=${take}
    />`;
  }

  /** The server assigns the id. */
  #fields(): readonly SettingField[] {
    return fieldsOf(this.schema).filter(({ key }) => key !== "id");
  }

  #blank(): Entry {
    const fields = Object.entries(this.schema.properties ?? {}).filter(([key]) => key !== "id");
    return Object.fromEntries(fields.map(([key, schema]) => [key, schema.default ?? emptyOf(schema)]));
  }

  #change(field: SettingField, at: number, text: string): void {
    try {
      this.#replace(at, { ...this.entries[at], [field.key]: fromText(field, text) });
    } catch (thrown) {
      if (!(thrown instanceof NotAValue)) throw thrown;
      this.problems = new Map([...this.problems, [`${at}.${field.key}`, thrown.message]]);
    }
  }

  #replace(at: number, entry: Entry): void {
    this.#tell(this.entries.with(at, entry));
  }

  #move(at: number, by: number): void {
    const entry = this.entries[at]!;
    this.#tell(this.entries.toSpliced(at, 1).toSpliced(at + by, 0, entry));
  }

  #tell(entries: readonly Entry[]): void {
    this.dispatchEvent(new CustomEvent("changed", { detail: entries }));
  }
}

function emptyOf(schema: SettingSchema): unknown {
  if (schema.type === "boolean") return false;
  if (schema.type === "number" || schema.type === "integer") return schema.minimum ?? 0;
  if (schema.type === "array") return [];
  return schema.enum?.[0] ?? "";
}
