import { html, nothing, type TemplateResult } from "lit";
import { ifDefined } from "lit/directives/if-defined.js";
import { live } from "lit/directives/live.js";
import { keptChoice } from "./kept-choice.js";

export interface FieldOptions {
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "password" | "email" | "number" | "url";
  readonly value?: string;
  readonly hint?: string;
  readonly problem?: string | undefined;
  readonly required?: boolean;
  readonly autocomplete?: AutoFill;
  readonly minLength?: number;
  readonly placeholder?: string;
  readonly input?: (value: string) => void;
}

/** A text field with its label, hint and error message, associated for screen readers. Styled by `fields`. */
export function field(options: FieldOptions): TemplateResult {
  const { name } = options;
  return html`<div class="field">
    <label for=${name}>${options.label}</label>
    <input
      id=${name}
      name=${name}
      type=${options.type ?? "text"}
      .value=${options.value ?? ""}
      ?required=${options.required ?? false}
      minlength=${ifDefined(options.minLength)}
      autocomplete=${ifDefined(options.autocomplete)}
      autocapitalize=${options.type === undefined || options.type === "text" ? "off" : nothing}
      placeholder=${ifDefined(options.placeholder)}
      aria-invalid=${options.problem ? "true" : "false"}
      aria-describedby=${`${name}-about`}
      @input=${(event: Event) => options.input?.(valueOf(event))}
    />
    <div id=${`${name}-about`}>
      ${options.problem ? html`<p class="problem">${options.problem}</p>` : options.hint ? html`<p class="hint">${options.hint}</p>` : nothing}
    </div>
  </div>`;
}

export interface ChoiceOptions<T extends string | number> {
  readonly label: string;
  /** Values with their labels. */
  readonly choices: ReadonlyArray<readonly [value: T, label: string]>;
}

/**
 * A select with its label.
 * @param changed - As for `toggle`.
 */
export function choice<T extends string | number>(
  { label, choices }: ChoiceOptions<T>,
  chosen: T | undefined,
  changed: (value: T) => unknown,
): TemplateResult {
  const select = (shown: T | undefined, choose: (value: T | undefined) => void) =>
    html`<label
      >${label}
      <select @change=${(event: Event) => choose(choices[(event.target as HTMLSelectElement).selectedIndex]?.[0])}>
        ${choices.map(([value, text]) => html`<option value=${value} .selected=${live(value === shown)}>${text}</option>`)}
      </select></label
    >`;
  return html`${keptChoice(chosen, (value) => (value === undefined ? undefined : changed(value)), select)}`;
}

export interface SwitchOptions {
  readonly label: string;
  readonly isDisabled?: boolean;
}

/**
 * A checkbox with its label.
 * @param changed - As for `toggle`.
 */
export function check(
  of: string | SwitchOptions,
  isChecked: boolean,
  changed: (isChecked: boolean) => unknown,
): TemplateResult {
  const { label, isDisabled = false } = optionsOf(of);
  const box = (shown: boolean, choose: (isChecked: boolean) => void) =>
    html`<label
      ><input
        type="checkbox"
        .checked=${live(shown)}
        ?disabled=${isDisabled}
        @change=${(event: Event) => choose((event.target as HTMLInputElement).checked)}
      />${label}</label
    >`;
  return html`${keptChoice(isChecked, changed, box)}`;
}

export interface ToggleOptions extends SwitchOptions {
  /** The label is for screen readers only. */
  readonly isLabelHidden?: boolean;
}

/**
 * A switch that takes effect at once, with its label.
 * @param changed - Makes the change. When it takes time, it returns a promise that settles once `isOn` is up to date,
 *   even when the change failed: until then the switch stays as the user left it.
 */
export function toggle(of: string | ToggleOptions, isOn: boolean, changed: (isOn: boolean) => unknown): TemplateResult {
  const { label, isDisabled = false, isLabelHidden = false } = optionsOf(of);
  const box = (shown: boolean, choose: (isOn: boolean) => void) =>
    html`<label class="switch"
      ><input
        type="checkbox"
        role="switch"
        .checked=${live(shown)}
        ?disabled=${isDisabled}
        @change=${(event: Event) => choose((event.target as HTMLInputElement).checked)}
      /><span class=${isLabelHidden ? "hidden" : nothing}>${label}</span></label
    >`;
  return html`${keptChoice(isOn, changed, box)}`;
}

function optionsOf(of: string | ToggleOptions): ToggleOptions {
  return typeof of === "string" ? { label: of } : of;
}

/** The value of the field that an event comes from. */
export function valueOf(event: Event): string {
  return (event.target as HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement).value;
}

/** The fields of a form by name, as text. */
export function valuesOf(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, typeof value === "string" ? value : ""]),
  );
}

/** The fields of a form that is being sent, which the browser then leaves alone. */
export function submitted(event: Event): Record<string, string> {
  event.preventDefault();
  return valuesOf(event.target as HTMLFormElement);
}
