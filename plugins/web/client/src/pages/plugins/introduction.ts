import { html, nothing, type TemplateResult } from "lit";
import type { PluginIntroduction } from "@longbox/kernel/api";

const signatures: Readonly<Record<PluginIntroduction["checks"]["signature"], string>> = {
  verified: "The registry's signature was verified.",
  missing: "The registry has not signed it.",
  "not-checked": "It is signed, but the registry has no key with which the signature could be checked.",
};
const provenances: Readonly<Record<PluginIntroduction["checks"]["provenance"], string>> = {
  missing: "The registry does not say from which source it was built.",
  "not-checked": "The registry says from which source it was built; this was not checked.",
};

/** Whether an installation needs a look at the package first: every first one, and every upgrade that brings news. */
export function needsLook({ installed, asks, deprecated }: PluginIntroduction): boolean {
  return installed === undefined || asks.length > 0 || deprecated !== undefined;
}

export const headingOf = ({ title, version, installed }: PluginIntroduction) =>
  installed === undefined ? `Install ${title} ${version}?` : `Upgrade ${title} to ${version}?`;

function actionOf({ installed, needsConsent }: PluginIntroduction): string {
  const action = installed === undefined ? "install" : "upgrade";
  return needsConsent ? `Accept and ${action}` : `${action[0]!.toUpperCase()}${action.slice(1)}`;
}

interface Buttons {
  cancel(): void;
  install(): void;
}

/** What a package asks for, who published it and what was checked. */
export function introduction(shown: PluginIntroduction, { cancel, install }: Buttons): TemplateResult {
  const { installed, isFromThisHouse, asks, changes, checks, deprecated } = shown;
  return html`<div class="stack">
    <p>
      ${isFromThisHouse ? "This plugin is part of Longbox." : "This plugin is not part of Longbox. Install it only if you trust its publisher."}
    </p>
    ${deprecated === undefined ? nothing : html`<p class="reason">Its publisher advises against it: ${deprecated}</p>`}
    <dl class="facts">
      <dt>Package</dt>
      <dd>${shown.package} ${shown.version}</dd>
      <dt>Publisher</dt>
      <dd>${shown.publisher ?? "The registry does not say."}</dd>
      <dt>Checked</dt>
      <dd>
        Its content is what the registry promised. ${signatures[checks.signature]} ${provenances[checks.provenance]}
      </dd>
    </dl>
    ${
      asks.length === 0
        ? nothing
        : html`<section aria-labelledby="asks">
            <h3 id="asks">${installed === undefined ? "What it asks for" : "What it asks for that is new"}</h3>
            <ul class="asks">
              ${asks.map(({ text }) => html`<li>${text}</li>`)}
            </ul>
          </section>`
    }
    ${
      changes === undefined
        ? nothing
        : html`<details>
            <summary>Changes</summary>
            <pre class="changes">${changes}</pre>
          </details>`
    }
    <div class="row end">
      <button type="button" @click=${cancel}>Cancel</button>
      <button type="button" class="primary" @click=${install}>
        ${actionOf(shown)}
      </button>
    </div>
  </div>`;
}
