import type { Address, Channel, Choices, Preferences } from "@longbox/notifications/api";
import {
  Action,
  check,
  choice,
  confirm,
  Dialog,
  dialogs,
  element,
  field,
  fromNow,
  LongboxElement,
  notices,
  problem,
  Resource,
  skeleton,
  standard,
  submitted,
  t,
  tables,
} from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { browserName } from "./browser-name.js";
import { kindsOf, quietHoursOf, type PreferenceEditing } from "./preferences.js";
import { canPush, subscribe } from "./pushing.js";

/** The user's notification preferences: categories, addresses and quiet hours. */
@element("notifications-choices")
export class NotificationsChoices extends LongboxElement {
  static override styles = [
    standard,
    tables,
    dialogs,
    notices,
    css`
      :host {
        display: grid;
        gap: var(--lb-space-5);
      }
      .card {
        display: grid;
        gap: var(--lb-space-3);
      }
      .scrolls {
        overflow-x: auto;
      }
      td:not(:first-child),
      th:not(:first-child) {
        text-align: center;
      }
      th:not(:first-child) {
        white-space: nowrap;
      }
      th .soft {
        font-weight: 400;
        font-size: var(--lb-text-s);
      }
      td label {
        display: grid;
        place-items: center;
        min-height: 2.75rem;
      }
      .answers {
        display: grid;
        gap: var(--lb-space-1);
        overflow-wrap: anywhere;
      }
    `,
  ];
  @state() private channelId: string | undefined;
  readonly #choices = new Resource<Choices>(this, {
    path: "/api/notifications/choices",
    domains: ["notifications"],
  });
  readonly #action = new Action(this, { notify: true, after: () => this.#choices.refresh() });
  readonly #adding = new Action(this, { after: () => this.#choices.refresh() });
  readonly #dialog = new Dialog(this);

  get #editing(): PreferenceEditing {
    return { isBusy: this.#action.busy, keep: (preferences) => this.#keep(preferences) };
  }

  override render(): unknown {
    return this.#choices.render(
      (choices) =>
        html`${kindsOf(choices, this.#editing)} ${quietHoursOf(choices, this.#editing)} ${this.#addresses(choices)}
        ${this.#dialog.render(t("choicesPanel.addAnAddress"), () => this.#form(choices))}`,
      { waiting: skeleton() },
    );
  }

  #addresses({ addresses, channels, pushKey }: Choices): TemplateResult {
    return html`<section class="card">
      <div class="row spread">
        <h2>${t("choicesPanel.whereYouCanBe")}</h2>
        <span class="row">
          ${canPush() ? html`<button ?disabled=${this.#action.busy} @click=${() => this.#push(pushKey)}>${t("choicesPanel.useThisBrowser")}</button>` : nothing}
          <button class="primary" aria-haspopup="dialog" @click=${() => this.#dialog.open()}>
            ${t("choicesPanel.addAnAddress")}
          </button>
        </span>
      </div>
      ${
        addresses.length === 0
          ? html`<p class="soft">${t("choicesPanel.notificationsAreShownOnly")}</p>`
          : addresses.map((address) => this.#address(address, channels))
      }
    </section>`;
  }

  #address(address: Address, channels: readonly Channel[]): TemplateResult {
    const channel = channels.find(({ id }) => id === address.channel);
    const path = `/api/notifications/addresses/${address.id}`;
    const [last] = address.answers;
    return html`<div class="card" role="group" aria-label=${address.name}>
      <div class="row spread">
        <strong>${address.name}</strong>
        ${check({ label: t("choicesPanel.on"), isDisabled: this.#action.busy }, address.enabled, (enabled) =>
          this.#action.run(() => this.longbox.api(path, { method: "PATCH", body: { enabled } })),
        )}
      </div>
      <p class="label">${channel?.label ?? t("choicesPanel.thisChannelIsNot", { channel: address.channel })}</p>
      ${problem(address.trouble ?? channel?.unavailable)}
      ${last ? html`<p class="label answers">${t("choicesPanel.lastAnswer", { at: fromNow(last.at), text: last.text })}</p>` : nothing}
      ${address.verified ? nothing : this.#code(address)}
      <div class="row">
        ${
          address.verified
            ? html`<button ?disabled=${this.#action.busy} @click=${() => this.#attempt(address)}>
                ${t("choicesPanel.sendAMessageTo")}
              </button>`
            : html`<button ?disabled=${this.#action.busy} @click=${() => this.#sendCode(address)}>
                ${t("choicesPanel.sendAnotherCode")}
              </button>`
        }
        <button class="danger" ?disabled=${this.#action.busy} @click=${() => this.#remove(address)}>
          ${t("choicesPanel.remove")}
        </button>
      </div>
    </div>`;
  }

  #code(address: Address): TemplateResult {
    const enter = (event: SubmitEvent) => {
      const { code = "" } = submitted(event);
      void this.#action.run(
        () => this.post(`/api/notifications/addresses/${address.id}/verify`, { code }),
        t("choicesPanel.isVerified", { name: address.name }),
      );
    };
    return html`<form class="row" @submit=${enter}>
      ${field({ name: "code", label: t("choicesPanel.codeThatWasSent"), required: true, autocomplete: "one-time-code", hint: t("choicesPanel.nothingElseIsSent") })}
      <button class="primary" ?disabled=${this.#action.busy}>${t("choicesPanel.confirm")}</button>
    </form>`;
  }

  #sendCode(address: Address): void {
    void this.#action.run(async () => {
      const { ok, message } = await this.post<{ ok: boolean; message: string }>(
        `/api/notifications/addresses/${address.id}/code`,
      );
      this.longbox.notify(ok ? t("choicesPanel.aCodeWasSent", { name: address.name }) : `${address.name}: ${message}`, {
        level: ok ? "success" : "danger",
      });
    });
  }

  #form({ channels }: Choices): TemplateResult {
    const offered = channels.filter(({ id }) => id !== "web-push");
    const channel = offered.find(({ id }) => id === this.channelId) ?? offered[0];
    if (!channel) return html`<p class="soft">${t("choicesPanel.noChannelIsAvailable")}</p>`;
    return html`<form class="stack" @submit=${(event: SubmitEvent) => this.#add(event, channel)}>
      ${choice(
        { label: t("choicesPanel.channel"), choices: offered.map(({ id, label }) => [id, label] as const) },
        channel.id,
        (id) => (this.channelId = id),
      )}
      ${problem(channel.unavailable)}
      ${field({ name: "name", label: t("choicesPanel.name"), value: channel.label, required: true })}
      ${channel.fields.map(({ name, label, kind, required, secret, hint }) =>
        field({
          name: `field-${name}`,
          label,
          required,
          type: secret && kind === "text" ? "password" : kind,
          autocomplete: "off",
          ...(hint !== undefined && { hint }),
        }),
      )}
      ${problem(this.#adding.problem)}
      <div class="row end">
        <button class="primary" ?disabled=${this.#adding.busy}>${t("choicesPanel.add")}</button>
      </div>
    </form>`;
  }

  async #add(event: SubmitEvent, channel: Channel): Promise<void> {
    const { name = "", ...values } = submitted(event);
    const fields = Object.fromEntries(channel.fields.map((one) => [one.name, values[`field-${one.name}`] ?? ""]));
    const added = await this.#adding.run(
      () => this.post("/api/notifications/addresses", { channel: channel.id, name, fields }),
      t("choicesPanel.wasAddedChooseAbove", { name }),
    );
    if (added) this.#dialog.close();
  }

  #push(pushKey: string): void {
    void this.#action.run(async () => {
      const fields = await subscribe(pushKey);
      await this.post("/api/notifications/addresses", { channel: "web-push", name: browserName(), fields });
    }, t("choicesPanel.thisBrowserWasAdded"));
  }

  #attempt(address: Address): void {
    void this.#action.run(async () => {
      const { ok, message } = await this.post<{ ok: boolean; message: string }>(
        `/api/notifications/addresses/${address.id}/try`,
      );
      this.longbox.notify(ok ? t("choicesPanel.sentTo", { name: address.name }) : `${address.name}: ${message}`, {
        level: ok ? "success" : "danger",
      });
    });
  }

  async #remove(address: Address): Promise<void> {
    const answer = await confirm({
      heading: t("choicesPanel.remove2", { name: address.name }),
      text: t("choicesPanel.noMoreMessagesAre"),
      action: t("choicesPanel.remove"),
      isDangerous: true,
    });
    if (answer)
      await this.#action.run(() =>
        this.longbox.api(`/api/notifications/addresses/${address.id}`, { method: "DELETE" }),
      );
  }

  /** Shown at once, and reverted when the server refuses the change. */
  #keep(preferences: Preferences): Promise<boolean> {
    const choices = this.#choices.value;
    if (choices) this.#choices.put({ ...choices, preferences });
    return this.#action.run(() => this.post("/api/notifications/choices", preferences));
  }
}
