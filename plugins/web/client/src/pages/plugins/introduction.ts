import { css, html, nothing, type TemplateResult } from "lit";
import type { PluginIntroduction } from "@longbox/kernel/api";

export const introductionStyles = css`
  .facts {
    display: grid;
    grid-template-columns: max-content 1fr;
    gap: var(--lb-space-2) var(--lb-space-4);
    margin: 0;
  }
  .facts dt {
    color: var(--lb-ink-soft);
  }
  .facts dd {
    margin: 0;
    overflow-wrap: anywhere;
  }
  .asks {
    display: grid;
    gap: var(--lb-space-2);
    margin-top: var(--lb-space-2);
    padding-inline-start: var(--lb-space-5);
    list-style: disc;
  }
  .changes {
    max-height: 12rem;
    overflow: auto;
    white-space: pre-wrap;
  }
`;

const signatures: Readonly<Record<PluginIntroduction["checks"]["signature"], string>> = {
  verified: "The registry's signature was verified.",
  missing: "The registry signs packages, but has not signed this one.",
  unsupported: "This registry signs no packages, so no signature was checked.",
  "not-checked": "It is signed, but the registry has no key with which the signature could be checked.",
};
const provenances: Readonly<Record<PluginIntroduction["checks"]["provenance"], string>> = {
  verified: "The signed statement on its source was verified.",
  missing: "The registry does not say from which source it was built.",
  "not-checked": "The registry says from which source it was built; this could not be checked.",
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
  const { isFromThisHouse, changes, deprecated } = shown;
  return html`<div class="stack">
    <p>
      ${isFromThisHouse ? "This plugin is part of Longbox." : "This plugin is not part of Longbox. Install it only if you trust its publisher."}
    </p>
    ${deprecated === undefined ? nothing : html`<p class="reason">Its publisher advises against it: ${deprecated}</p>`}
    ${facts(shown)} ${asked(shown)}
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
      <button type="button" class="primary" @click=${install}>${actionOf(shown)}</button>
    </div>
  </div>`;
}

function facts({ package: named, version, publishedBy, checks }: PluginIntroduction): TemplateResult {
  return html`<dl class="facts">
    <dt>Package</dt>
    <dd>${named} ${version}</dd>
    <dt>Publisher</dt>
    <dd>${publishedBy ?? "The registry does not say."}</dd>
    <dt>Checked</dt>
    <dd>
      Its content is what the registry promised. ${signatures[checks.signature]} ${provenances[checks.provenance]}
      ${checks.builtFrom === undefined ? nothing : `It was built from ${checks.builtFrom.repository}.`}
    </dd>
  </dl>`;
}

function asked({ installed, asks }: PluginIntroduction): TemplateResult | typeof nothing {
  if (asks.length === 0) return nothing;
  return html`<section aria-labelledby="asks">
    <h3 id="asks">${installed === undefined ? "What it asks for" : "What it asks for that is new"}</h3>
    <ul class="asks">
      ${asks.map(({ text }) => html`<li>${text}</li>`)}
    </ul>
  </section>`;
}
