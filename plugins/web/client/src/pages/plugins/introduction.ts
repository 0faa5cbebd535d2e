import { t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import type { PluginIntroduction } from "@longbox/kernel/api";
import { markdown } from "./markdown.js";

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
  .facts dt:not(:first-child) {
    margin-top: 0;
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
    overflow-wrap: anywhere;
  }
  .changes ul {
    padding-inline-start: var(--lb-space-5);
    list-style: disc;
  }
`;

const signatures: Readonly<Record<PluginIntroduction["checks"]["signature"], string>> = {
  verified: t("introduction.theRegistrysSignatureWas"),
  missing: t("introduction.theRegistrySignsPackages"),
  unsupported: t("introduction.thisRegistrySignsNo"),
  "not-checked": t("introduction.itIsSignedBut"),
};
const provenances: Readonly<Record<PluginIntroduction["checks"]["provenance"], string>> = {
  verified: t("introduction.theSignedStatementOn"),
  missing: t("introduction.theRegistryDoesNot2"),
  "not-checked": t("introduction.theRegistryNamesThe"),
};

/** Whether an installation needs a look at the package first: every first one, and every upgrade that brings news. */
export function needsLook({ installed, asks, deprecated }: PluginIntroduction): boolean {
  return installed === undefined || asks.length > 0 || deprecated !== undefined;
}

export const headingOf = ({ title, version, installed }: PluginIntroduction) =>
  installed === undefined
    ? t("introduction.install2", { title, version })
    : t("introduction.upgradeTo", { title, version });

function actionOf({ installed, needsConsent }: PluginIntroduction): string {
  if (installed === undefined) return needsConsent ? t("introduction.acceptAndInstall") : t("introduction.install");
  return needsConsent ? t("introduction.acceptAndUpgrade") : t("introduction.upgrade");
}

interface Buttons {
  cancel(): void;
  install(): void;
}

/** What a package asks for, who published it and what was checked. */
export function introduction(shown: PluginIntroduction, { cancel, install }: Buttons): TemplateResult {
  const { isFromThisHouse, changes, deprecated } = shown;
  return html`<div class="stack">
    <p>${isFromThisHouse ? t("introduction.thisPluginIsPart") : t("introduction.thisPluginIsNot")}</p>
    ${deprecated === undefined ? nothing : html`<p class="reason">${t("introduction.itsPublisherAdvisesAgainst", { reason: deprecated })}</p>`}
    ${facts(shown)} ${asked(shown)}
    ${
      changes === undefined
        ? nothing
        : html`<details>
            <summary>${t("introduction.changes")}</summary>
            <div
              class="changes stack"
              lang="en"
              dir="ltr"
              tabindex="0"
              role="group"
              aria-label=${t("introduction.changes")}
            >
              ${markdown(changes)}
            </div>
          </details>`
    }
    <div class="row end">
      <button type="button" @click=${cancel}>${t("introduction.cancel")}</button>
      <button type="button" class="primary" @click=${install}>${actionOf(shown)}</button>
    </div>
  </div>`;
}

function facts({ package: named, version, publishedBy, checks }: PluginIntroduction): TemplateResult {
  return html`<dl class="facts">
    <dt>${t("introduction.package")}</dt>
    <dd><bdi>${named} ${version}</bdi></dd>
    <dt>${t("introduction.publisher")}</dt>
    <dd>${publishedBy ?? t("introduction.theRegistryDoesNot")}</dd>
    <dt>${t("introduction.checked")}</dt>
    <dd>
      ${t("introduction.itsContentMatchesWhat")} ${signatures[checks.signature]} ${provenances[checks.provenance]}
      ${checks.builtFrom === undefined ? nothing : t("introduction.itWasBuiltFrom", { repository: checks.builtFrom.repository })}
    </dd>
  </dl>`;
}

function asked({ installed, asks }: PluginIntroduction): TemplateResult | typeof nothing {
  if (asks.length === 0) return nothing;
  return html`<section aria-labelledby="asks">
    <h3 id="asks">${installed === undefined ? t("introduction.whatItMayDo2") : t("introduction.whatItMayDo")}</h3>
    <ul class="asks">
      ${asks.map(({ text }) => html`<li>${text}</li>`)}
    </ul>
  </section>`;
}
