import { element, LongboxElement, Resource, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Finding } from "@longbox/operations/api";
import { style } from "./style.js";

const says: Readonly<Record<Finding["level"], readonly [words: string, look: string]>> = {
  ok: [t("healthPanel.good"), "good"],
  warning: [t("healthPanel.checkThis"), "warn"],
  error: [t("healthPanel.needsAttention"), "bad"],
};

/** What the server that answers is among those of its library; undefined for one that is alone. */
const roles: Readonly<Record<string, string>> = {
  leader: t("healthPanel.leader"),
  follower: t("healthPanel.follower"),
};

/** The problems of the server, worst first, with remedies. */
@element("operations-health")
export class HealthPanel extends LongboxElement {
  static override styles = style;
  readonly #findings = new Resource<readonly Finding[]>(this, {
    path: "/api/health/checks",
    domains: ["plugins", "libraries", "status"],
  });

  readonly #server = new Resource<{ readonly role: string }>(this, { path: "/healthz", domains: ["plugins"] });

  override render(): unknown {
    return this.#findings.render((findings) => this.#list(findings));
  }

  #list(findings: readonly Finding[]): TemplateResult {
    const wrong = findings.filter((finding) => finding.level !== "ok").length;
    return html`
      <p class="row spread above">
        <span class="soft" role="status"
          >${wrong === 0 ? t("healthPanel.noProblemsWereFound") : t("healthPanel.ofOtherFoundA", { wrong, all: findings.length })}</span
        ><button @click=${() => this.#findings.refresh()}>${t("healthPanel.checkAgain")}</button>
      </p>
      ${this.#role()}
      <ul>
        ${repeat(
          findings,
          ({ id }) => id,
          ({ title, level, advice, link }) =>
            html`<li class="card">
              <div class="row spread">
                <h2>${title}</h2>
                <span class="tag ${says[level][1]}">${says[level][0]}</span>
              </div>
              <p class="soft">${advice}</p>
              ${link ? html`<p><a class="button" href=${link.path}>${link.label}</a></p>` : nothing}
            </li>`,
        )}
      </ul>
    `;
  }

  #role(): TemplateResult | typeof nothing {
    const role = roles[this.#server.value?.role ?? ""];
    return role === undefined ? nothing : html`<p class="soft">${role}</p>`;
  }
}
