import { html, nothing } from "lit";
import { ifDefined } from "lit/directives/if-defined.js";

export interface FieldOptions {
  name: string;
  label: string;
  type?: "text" | "password" | "email" | "number" | "url";
  value?: string;
  hint?: string;
  problem?: string | undefined;
  required?: boolean;
  autocomplete?: AutoFill;
  minLength?: number;
  placeholder?: string;
  input?: (value: string) => void;
}

/** A text field with its label, its hint and what is wrong with it, tied together for screen readers. */
export function field(options: FieldOptions) {
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
      @input=${(event: Event) => options.input?.((event.target as HTMLInputElement).value)}
    />
    <div id=${`${name}-about`}>
      ${options.problem ? html`<p class="problem">${options.problem}</p>` : options.hint ? html`<p class="hint">${options.hint}</p>` : nothing}
    </div>
  </div>`;
}

/** The fields of a form by name, as text. */
export function valuesOf(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, typeof value === "string" ? value : ""]));
}
