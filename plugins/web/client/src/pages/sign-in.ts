import type { SignInWays } from "@longbox/kernel/api";
import { Action, field, problem, Resource, rich, submitted, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import "../elements/box-front.js";
import { base, buttons, forms, type } from "../styles/index.js";
import { Page } from "./page.js";

const layout = css`
  .problem {
    padding: var(--lb-space-2) var(--lb-space-3);
    border-inline-start: 4px solid var(--lb-danger);
    background: var(--lb-page);
  }
  .other {
    display: grid;
    gap: var(--lb-space-2);
    margin-top: var(--lb-space-5);
  }
`;

/** The common part of sign-in and registration: name, password and the server's error messages. */
abstract class CredentialsPage extends Page {
  protected readonly action = new Action(this);

  static override styles = [base, type, buttons, forms, layout];

  protected abstract submit(credentials: { username: string; password: string }): Promise<void>;

  protected form(label: string, fields: TemplateResult): TemplateResult {
    return html`<form @submit=${this.#submitted}>
      ${problem(this.action.problem)} ${fields}
      <button class="primary" ?disabled=${this.action.busy}>${label}</button>
    </form>`;
  }

  readonly #submitted = async (event: Event): Promise<void> => {
    const { username = "", password = "" } = submitted(event);
    if (!(await this.action.run(() => this.submit({ username: username.trim(), password })))) return;
    const { pathname } = this.longbox.router.match.value.url;
    if (pathname === "/sign-in" || pathname === "/register") this.longbox.navigate("/", { replace: true });
  };
}

/** The sign-in page. Afterwards, the page that was requested is shown. */
@customElement("lb-sign-in-page")
export class SignInPage extends CredentialsPage {
  readonly #providers = new Resource<SignInWays>(this, { path: () => "/api/auth/providers" });

  override render() {
    const { providers = [], passwordLogin = true } = this.#providers.value ?? {};
    const session = this.longbox.session.state.value;
    return html`<lb-box-front heading=${t("signIn.signIn")}>
      ${passwordLogin ? this.#form() : nothing}
      <div class="other">
        ${providers.map((provider) => html`<a class="button" href=${provider.loginPath} target="_self">${provider.label}</a>`)}
        ${session.kind === "signed-out" && session.registration ? html`<p class="soft">${rich("signIn.newHereCreateAn", { link: (inside: unknown) => html`<a href="/register">${inside}</a>` })}</p>` : nothing}
      </div>
    </lb-box-front>`;
  }

  protected submit(credentials: { username: string; password: string }): Promise<void> {
    return this.longbox.session.signIn(credentials);
  }

  #form() {
    return this.form(
      t("signIn.signIn"),
      html`${field({ name: "username", label: t("signIn.name"), required: true, autocomplete: "username" })}
      ${field({ name: "password", label: t("signIn.password"), type: "password", required: true, autocomplete: "current-password" })}`,
    );
  }
}

/** The registration page, where the server allows registration. */
@customElement("lb-register-page")
export class RegisterPage extends CredentialsPage {
  override render() {
    return html`<lb-box-front heading=${t("signIn.createAnAccount")}>
      ${this.form(
        t("signIn.createTheAccount"),
        html`${field({ name: "username", label: t("signIn.name"), required: true, autocomplete: "username", problem: this.action.problemOf("username"), hint: t("signIn.n2To32Letters") })}
        ${field({ name: "password", label: t("signIn.password"), type: "password", required: true, minLength: 8, autocomplete: "new-password", problem: this.action.problemOf("password"), hint: t("signIn.atLeast8Characters") })}`,
      )}
      <div class="other">
        <p class="soft">
          ${rich("signIn.youAlreadyHaveAn", { link: (inside: unknown) => html`<a href="/sign-in">${inside}</a>` })}
        </p>
      </div>
    </lb-box-front>`;
  }

  protected submit(credentials: { username: string; password: string }): Promise<void> {
    return this.longbox.session.register(credentials);
  }
}
