import type { KoboAccount, NewKobo } from "@longbox/kobo/api";
import {
  addressOf,
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

const path = "/api/kobo";

/** The part of the account page for Kobos: their addresses, and what they synchronise. */
@element("kobo-account")
export class KoboAccountPart extends LongboxElement {
  static override styles = [
    standard,
    css`
      h2 {
        margin: 0;
      }
      ul {
        display: grid;
        gap: var(--lb-space-2);
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: flex;
        gap: var(--lb-space-2);
        align-items: center;
        justify-content: space-between;
      }
      fieldset {
        display: grid;
        gap: var(--lb-space-2);
        margin: 0;
        padding: 0;
        border: 0;
      }
      legend {
        margin-block-end: var(--lb-space-2);
        padding: 0;
        font-weight: 600;
      }
    `,
  ];
  @state() private newAddress: string | undefined;
  readonly #account = new Resource<KoboAccount>(this, { path: () => path });
  readonly #action = new Action(this, { notify: true, after: () => this.#account.refresh() });

  override render(): TemplateResult {
    return html`<section class="card roomy stack">
      <h2>${t("index.koboEReaders")}</h2>
      ${this.#account.render((account) => this.#body(account), { waiting: skeleton() })}
    </section>`;
  }

  #body(account: KoboAccount): TemplateResult {
    return html`<p class="soft">
        ${rich("index.connectTheEReader", { strong: (inside: unknown) => html`<b>${inside}</b>` })}
      </p>
      ${this.newAddress ? this.#shownOnce(this.newAddress) : nothing} ${this.#devices(account)}
      <form class="row" @submit=${this.#add}>
        <label>${t("index.name")} <input name="name" required maxlength="100" placeholder=${t("index.clara")} /></label>
        <button>${icon("key")}${t("index.createAnAddress")}</button>
      </form>
      ${this.#shelves(account)}`;
  }

  #shownOnce(secret: string): TemplateResult {
    return shownOnce({
      secret,
      notice: t("index.copyItNowIt"),
      copied: t("index.copied"),
      run: (copying, copied) => this.#action.run(copying, copied),
    });
  }

  #devices({ devices }: KoboAccount): TemplateResult | typeof nothing {
    if (devices.length === 0) return nothing;
    return html`<ul>
      ${devices.map(
        ({ id, name, madeAt, lastAt }) =>
          html`<li>
            <span>
              ${name}
              <span class="label"
                >${lastAt ? t("index.synchronised", { lastAt: moment(lastAt) }) : t("index.created", { madeAt: day(madeAt) })}</span
              >
            </span>
            <button
              class="danger"
              @click=${() => this.#revoke(id, name)}
              aria-label=${t("index.revokeTheAddressOf", { name })}
            >
              ${t("index.revoke")}
            </button>
          </li>`,
      )}
    </ul>`;
  }

  #shelves({ shelves }: KoboAccount): TemplateResult {
    return html`<fieldset @change=${() => this.#choose()}>
      <legend>${t("index.whatIsSynchronised")}</legend>
      ${shelves.map(
        ({ id, title, chosen }) =>
          html`<label><input type="checkbox" name="shelf" value=${id} ?checked=${chosen} /> ${title}</label>`,
      )}
    </fieldset>`;
  }

  async #add(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const name = String(new FormData(form).get("name"));
    await this.#action.run(async () => {
      const made = await this.post<NewKobo>(`${path}/devices`, { name });
      this.newAddress = location.origin + addressOf(made.path);
      form.reset();
    });
  }

  async #revoke(id: number, name: string): Promise<void> {
    const sure = await confirm({
      heading: t("index.revokeTheAddressOf2", { name }),
      text: t("index.theEReaderStops"),
      action: t("index.revoke"),
    });
    if (!sure) return;
    const remove = () => this.longbox.api(`${path}/devices/${id}`, { method: "DELETE" });
    await this.#action.run(remove, t("index.canNoLongerSynchronise", { name }));
    this.newAddress = undefined;
  }

  async #choose(): Promise<void> {
    const boxes = this.renderRoot.querySelectorAll<HTMLInputElement>("input[name=shelf]:checked");
    const shelves = [...boxes].map(({ value }) => value);
    await this.#action.run(() => this.post(`${path}/shelves`, { shelves }));
  }
}
