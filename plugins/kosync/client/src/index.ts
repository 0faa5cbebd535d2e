import type { NewPassword, SyncAccount } from "@longbox/kosync/api";
import {
  basePath,
  Action,
  confirm,
  day,
  element,
  icon,
  LongboxElement,
  moment,
  Resource,
  rich,
  shownOnce,
  skeleton,
  standard,
  t,
} from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";

const path = "/api/kosync/password";

/** The part of the account page for e-readers: their password, and when each of them last synchronised. */
@element("kosync-account")
export class KosyncAccount extends LongboxElement {
  static override styles = [
    standard,
    css`
      h2 {
        margin: 0;
      }
      ul {
        margin: 0;
        padding-inline-start: var(--lb-space-4);
      }
    `,
  ];
  @state() private newPassword: string | undefined;
  readonly #account = new Resource<SyncAccount>(this, { path: () => path });
  readonly #action = new Action(this, { notify: true, after: () => this.#account.refresh() });

  override render(): TemplateResult {
    return html`<section class="card roomy stack">
      <h2>${t("index.eReadersWithKoreader")}</h2>
      ${this.#account.render((account) => this.#body(account), { waiting: skeleton() })}
    </section>`;
  }

  #body({ username, madeAt, devices }: SyncAccount): TemplateResult {
    return html`<p class="soft">
        ${rich("index.inKoreaderChooseProgress", { strong: (inside: unknown) => html`<b>${inside}</b>`, origin: location.origin + basePath, username })}
      </p>
      ${this.newPassword ? this.#shownOnce(this.newPassword) : nothing}
      ${madeAt && !this.newPassword ? html`<p class="label">${t("index.passwordCreated", { madeAt: day(madeAt) })}</p>` : nothing}
      ${
        devices.length > 0
          ? html`<ul>
              ${devices.map(({ name, lastAt }) => html`<li>${name}, ${moment(lastAt)}</li>`)}
            </ul>`
          : nothing
      }
      <div class="row">
        <button @click=${() => this.#create(madeAt !== null)}>
          ${icon("key")}${madeAt ? t("index.replaceThePassword") : t("index.createAPassword")}
        </button>
        ${madeAt ? html`<button class="danger" @click=${this.#revoke}>${t("index.revokeIt")}</button>` : nothing}
      </div>`;
  }

  #shownOnce(secret: string): TemplateResult {
    return shownOnce({
      secret,
      notice: t("index.copyItNowIt"),
      copied: t("index.copied"),
      run: (copying, copied) => this.#action.run(copying, copied),
    });
  }

  async #create(replaces: boolean): Promise<void> {
    const sure =
      !replaces ||
      (await confirm({
        heading: t("index.replaceThePasswordOf"),
        text: t("index.eReadersThatUse"),
        action: t("index.replace"),
      }));
    if (!sure) return;
    await this.#action.run(async () => {
      this.newPassword = (await this.post<NewPassword>(path)).password;
    });
  }

  async #revoke(): Promise<void> {
    await this.#action.run(() => this.longbox.api(path, { method: "DELETE" }), t("index.eReadersCanNo"));
    this.newPassword = undefined;
  }
}
