import {
  Action,
  actionButton,
  bytes,
  clockTime,
  day,
  duration,
  element,
  fromNow,
  LongboxElement,
  moment,
  month,
  pageStates,
  percent,
  problem,
  Resource,
  SaveOffline,
  showDialog,
  toastList,
  toasts,
  Toasts,
  wholePageStates,
} from "@longbox/sdk/ui";
import { html } from "lit";
import { style } from "../style.js";

const time = "2026-01-31T18:45:00.000Z";
const failed = () => Promise.reject(new Error("The shelf is full."));

/** Saves a part on the device; there is nothing behind it. */
@element("kit-save")
export class KitSave extends SaveOffline<{ readonly id: number }> {
  protected readonly text = "Read it where there is no connection.";
  protected pathOf = () => "/kit/served";
  protected describe = failed;
}

/** What an action or an answer of the server looks like, messages, and how figures and times are written. */
@element("kit-served")
export class KitServed extends LongboxElement {
  static override styles = [style, toasts];
  readonly #never = new Resource<string>(this, { path: "/api/kit/never", fetch: () => new Promise(() => undefined) });
  readonly #broken = new Resource<string>(this, { path: "/api/kit/broken", fetch: failed });
  readonly #action = new Action(this);
  readonly #toasts = new Toasts();

  constructor() {
    super();
    this.subject = { items: [{ id: 1 }] };
    const action = { label: "Show it", run: () => undefined };
    this.#toasts.add("The disk is nearly full.", { level: "warning", action });
    this.#toasts.add("Reading files", { key: "files", progress: { done: 3, total: 9 } });
    this.#toasts.add("It could not be saved.", { level: "danger", action });
  }

  override render() {
    return html`<section aria-label="Answers">
        <h2>Answers</h2>
        ${this.#never.render(String, pageStates)} ${this.#broken.render(String, pageStates)}
        ${this.#broken.render(String, { failed: (message) => problem(message), waiting: wholePageStates.waiting })}
      </section>
      ${this.#actions()}
      <section aria-label="Messages one under the other">
        <h2>Messages one under the other</h2>
        ${toastList(this.#toasts)}
      </section>
      <section aria-label="On this device">
        <h2>On this device</h2>
        <kit-save .longbox=${this.longbox} .subject=${this.subject}></kit-save>
      </section>
      <section aria-label="Figures and times">
        <h2>Figures and times</h2>
        <p>${bytes(1_234_567)} · ${percent(42, 100)} · ${duration(5_025)}</p>
        <p>${day(time)} · ${month("2026-01")} · ${moment(time)} · ${clockTime(time)} · ${fromNow(time)}</p>
      </section>`;
  }

  #actions() {
    const offered = {
      id: "kit",
      label: "An action",
      isPrimary: true,
      isDangerous: false,
      icon: undefined,
      href: undefined,
      run: () => Promise.resolve(),
    };
    return html`<section aria-label="Actions">
      <h2>Actions</h2>
      <p class="row">
        ${actionButton(offered, "primary")} ${actionButton({ ...offered, label: "A danger", isDangerous: true })}
        <button type="button" ?disabled=${this.#action.busy} @click=${() => this.#action.run(failed)}>
          One that fails
        </button>
        <button type="button" aria-haspopup="dialog" @click=${() => this.#show()}>A dialog with an element</button>
      </p>
      ${problem(this.#action.problem)}
    </section>`;
  }

  #show(): Promise<void> {
    const content = document.createElement("p");
    content.textContent = "An element that is not in the page before.";
    return showDialog({ heading: "A dialog with an element", content });
  }
}
