import { t } from "@longbox/sdk/ui";
import { html, type TemplateResult } from "lit";

export interface Lock {
  /** The name of the field, for screen readers. */
  readonly name: string;
  readonly isLocked: boolean;
  changed(isLocked: boolean): void;
}

/** A field with the lock beside it that keeps files and providers from overwriting it. */
export function lockLine({ name, isLocked, changed }: Lock, control: TemplateResult): TemplateResult {
  return html`<div class="line">
    ${control}
    <label class="lock"
      ><input
        type="checkbox"
        aria-label=${t("lockLine.locked", { name })}
        .checked=${isLocked}
        @change=${(event: Event) => changed((event.target as HTMLInputElement).checked)}
      />${t("lockLine.locked2")}</label
    >
  </div>`;
}
