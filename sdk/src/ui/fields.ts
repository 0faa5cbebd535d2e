import { html, nothing, type TemplateResult } from "lit";
import { ifDefined } from "lit/directives/if-defined.js";
import { live } from "lit/directives/live.js";

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

/** A select with its label. */
export function choice<T extends string | number>(
  { label, choices }: ChoiceOptions<T>,
  chosen: T | undefined,
  changed: (value: T) => void,
): TemplateResult {
  const pick = (event: Event) => {
    const found = choices[(event.target as HTMLSelectElement).selectedIndex];
    if (found) changed(found[0]);
  };
  return html`<label
    >${label}
    <select @change=${pick}>
      ${choices.map(([value, text]) => html`<option value=${value} ?selected=${value === chosen}>${text}</option>`)}
    </select></label
  >`;
}

export interface SwitchOptions {
  readonly label: string;
  readonly isDisabled?: boolean;
}

/** A checkbox with its label. */
export function check(
  of: string | SwitchOptions,
  isChecked: boolean,
  changed: (isChecked: boolean) => void,
): TemplateResult {
  const { label, isDisabled = false } = optionsOf(of);
  return html`<label
    ><input
      type="checkbox"
      .checked=${isChecked}
      ?disabled=${isDisabled}
      @change=${(event: Event) => changed((event.target as HTMLInputElement).checked)}
    />${label}</label
  >`;
}

export interface ToggleOptions extends SwitchOptions {
  /** The label is for screen readers only. */
  readonly isLabelHidden?: boolean;
}

/** A switch that takes effect at once, with its label. */
export function toggle(of: string | ToggleOptions, isOn: boolean, changed: (isOn: boolean) => void): TemplateResult {
  const { label, isDisabled = false, isLabelHidden = false } = optionsOf(of);
  return html`<label class="switch"
    ><input
      type="checkbox"
      role="switch"
      .checked=${live(isOn)}
      ?disabled=${isDisabled}
      @change=${(event: Event) => changed((event.target as HTMLInputElement).checked)}
    /><span class=${isLabelHidden ? "hidden" : nothing}>${label}</span></label
  >`;
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
