import { Action, element, LongboxElement, Resource, skeleton, standard, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";

interface Provider {
  readonly id: string;
  readonly label: string;
}

/** The part of the account page that links the account to providers, and shows where it is linked. */
@element("oidc-links")
export class OidcLinks extends LongboxElement {
  static override styles = [
    standard,
    css`
      h2 {
        margin: 0;
      }
    `,
  ];
  readonly #offered = new Resource<{ readonly providers: readonly Provider[] }>(this, {
    path: () => "/api/auth/providers",
  });
  readonly #profile = new Resource<{ readonly providers: readonly string[] }>(this, {
    path: () => "/api/auth/profile",
  });
  readonly #action = new Action(this, { notify: true, after: () => this.#profile.refresh() });

  override render(): TemplateResult | typeof nothing {
    if (this.#offered.value?.providers.length === 0) return nothing;
    return html`<section class="card roomy stack">
      <h2>${t("index.otherWaysToSign")}</h2>
      ${this.#offered.render(({ providers }) => html`${providers.map((provider) => this.#row(provider))}`, {
        waiting: skeleton(),
      })}
    </section>`;
  }

  #row({ id, label }: Provider): TemplateResult {
    const isLinked = this.#profile.value?.providers.includes(id) === true;
    const change = () => (isLinked ? this.#unlink(id, label) : this.#link(id));
    return html`<div class="row">
      <span>${isLinked ? t("index.isLinkedToYour", { label }) : label}</span>
      <button ?disabled=${this.#action.busy || !this.#profile.value} @click=${change}>
        ${isLinked ? t("index.unlink", { label }) : t("index.link", { label })}
      </button>
    </div>`;
  }

  async #link(id: string): Promise<void> {
    await this.#action.run(async () => {
      const { redirectTo } = await this.post<{ redirectTo: string }>(`/api/auth/providers/${id}/link`);
      location.assign(redirectTo);
    });
  }

  async #unlink(id: string, label: string): Promise<void> {
    const done = t("index.youNoLongerSign", { label });
    await this.#action.run(() => this.longbox.api(`/api/auth/providers/${id}/link`, { method: "DELETE" }), done);
  }
}
