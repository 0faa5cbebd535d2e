import type { KoboAccount, NewKobo } from "@longbox/kobo/api";
import {
  Action,
  confirm,
  day,
  element,
  icon,
  LongboxElement,
  moment,
  Resource,
  skeleton,
  standard,
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
      .card {
        display: grid;
        gap: var(--lb-space-3);
        align-content: start;
        height: 100%;
        padding: var(--lb-space-5);
        border-radius: var(--lb-radius-l);
      }
      h2 {
        margin: 0;
      }
      code {
        display: block;
        padding: var(--lb-space-3);
        border: 1px dashed var(--lb-ink-soft);
        border-radius: var(--lb-radius-s);
        font-family: var(--lb-font-mono);
        overflow-wrap: anywhere;
        user-select: all;
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
    return html`<section class="card">
      <h2>Kobo e-readers</h2>
      ${this.#account.render((account) => this.#body(account), { waiting: skeleton() })}
    </section>`;
  }

  #body(account: KoboAccount): TemplateResult {
    return html`<p class="soft">
        Connect the e-reader to a computer, open <b>.kobo/Kobo/Kobo eReader.conf</b>, and set <b>api_endpoint</b> below
        <b>[OneStoreServices]</b> to an address that you create here. Books in the format EPUB are sent as they are.
      </p>
      ${this.newAddress ? this.#shownOnce(this.newAddress) : nothing} ${this.#devices(account)}
      <form class="row" @submit=${this.#add}>
        <label>Name <input name="name" required maxlength="100" placeholder="Clara" /></label>
        <button>${icon("key")}Create an address</button>
      </form>
      ${this.#shelves(account)}`;
  }

  #shownOnce(address: string): TemplateResult {
    return html`<p role="status"><b>Copy it now: it is shown only this once.</b></p>
      <code>${address}</code>`;
  }

  #devices({ devices }: KoboAccount): TemplateResult | typeof nothing {
    if (devices.length === 0) return nothing;
    return html`<ul>
      ${devices.map(
        ({ id, name, madeAt, lastAt }) =>
          html`<li>
            <span>
              ${name}
              <span class="label">${lastAt ? `synchronised ${moment(lastAt)}` : `created ${day(madeAt)}`}</span>
            </span>
            <button class="danger" @click=${() => this.#revoke(id, name)} aria-label="Revoke the address of ${name}">
              Revoke
            </button>
          </li>`,
      )}
    </ul>`;
  }

  #shelves({ shelves }: KoboAccount): TemplateResult {
    return html`<fieldset @change=${() => this.#choose()}>
      <legend>What is synchronised</legend>
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
      this.newAddress = location.origin + made.path;
      form.reset();
    });
  }

  async #revoke(id: number, name: string): Promise<void> {
    const sure = await confirm({
      heading: `Revoke the address of ${name}?`,
      text: "The e-reader stops synchronising. The books on it stay.",
      action: "Revoke",
    });
    if (!sure) return;
    const remove = () => this.longbox.api(`${path}/devices/${id}`, { method: "DELETE" });
    await this.#action.run(remove, `${name} can no longer synchronise.`);
    this.newAddress = undefined;
  }

  async #choose(): Promise<void> {
    const boxes = this.renderRoot.querySelectorAll<HTMLInputElement>("input[name=shelf]:checked");
    const shelves = [...boxes].map(({ value }) => value);
    await this.#action.run(() => this.post(`${path}/shelves`, { shelves }));
  }
}
