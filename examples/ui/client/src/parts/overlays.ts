import { confirm, Dialog, dialogs, element, field, LongboxElement, menuButton, rule, submitted } from "@longbox/sdk/ui";
import { html } from "lit";
import { state } from "lit/decorators.js";
import { style } from "../style.js";

/** What stands over the page: dialogs, questions, menus and messages. */
@element("kit-overlays")
export class KitOverlays extends LongboxElement {
  @state() private chosen = "title";
  @state() private says = "Nothing was done yet.";
  readonly #dialog = new Dialog(this);
  static override styles = [style, dialogs];

  override render() {
    return html`<p role="status">${this.says}</p>
      <section aria-label="Dialogs">
        <h2>Dialogs</h2>
        <p class="row">
          <button type="button" aria-haspopup="dialog" @click=${() => this.#dialog.open()}>Open a dialog</button>
          <button type="button" aria-haspopup="dialog" @click=${() => this.#ask(false)}>Ask</button>
          <button type="button" aria-haspopup="dialog" @click=${() => this.#ask(true)}>Ask about a danger</button>
        </p>
        ${this.#dialog.render("A new shelf", () => this.#form())}
      </section>
      <section aria-label="Menus">
        <h2>Menus</h2>
        <p class="row">${this.#menu()} ${this.#choices()}</p>
      </section>
      ${this.#messages()}`;
  }

  #messages() {
    return html`<section aria-label="Messages">
      <h2>Messages</h2>
      <p class="row">
        <button type="button" @click=${() => this.longbox.notify("The page is being read.")}>Info</button>
        <button type="button" @click=${() => this.longbox.notify("Saved.", { level: "success" })}>Success</button>
        <button type="button" @click=${() => this.longbox.notify("The disk is nearly full.", { level: "warning" })}>
          Warning
        </button>
        <button type="button" @click=${() => this.longbox.notify("It could not be saved.", { level: "danger" })}>
          Danger
        </button>
        <button
          type="button"
          @click=${() => this.longbox.notify("Reading files", { key: "kit", progress: { done: 3, total: 9 } })}
        >
          Progress
        </button>
        <button
          type="button"
          @click=${() => this.longbox.notify("All files were read.", { key: "kit", level: "success" })}
        >
          End of the progress
        </button>
      </p>
    </section>`;
  }

  #form() {
    const add = (event: Event) => {
      this.says = `${submitted(event)["name"]} was added.`;
      this.#dialog.close();
    };
    return html`<form class="stack" @submit=${add}>
      ${field({ name: "name", label: "Name", required: true })}
      <div class="row">${this.#menu()}</div>
      <div class="row end"><button class="primary">Add</button></div>
    </form>`;
  }

  #menu() {
    const run = (what: string) => () => (this.says = `${what} was chosen.`);
    const items = [
      { label: "Scan", icon: "scan", run: run("Scan") },
      { label: "Edit", icon: "edit", run: run("Edit") },
      { label: "Not now", icon: "clock", isDisabled: true, run: run("Not now") },
      rule,
      { label: "Remove", icon: "trash", isDangerous: true, run: run("Remove") },
    ];
    return menuButton("Open a menu", () => ({ label: "Things to do", items }), { icon: "more" });
  }

  #choices() {
    const items = ["title", "year", "size"].map((name) => ({
      label: `By ${name}`,
      isChecked: this.chosen === name,
      run: () => (this.chosen = name),
    }));
    return menuButton(`By ${this.chosen}`, () => ({ label: "Sort", items }), { icon: "list" });
  }

  async #ask(isDangerous: boolean): Promise<void> {
    const answer = await confirm({
      heading: isDangerous ? "Remove the shelf?" : "Tidy the shelf?",
      text: isDangerous ? "What is on it is lost." : "Books change their places.",
      action: isDangerous ? "Remove" : "Tidy",
      ...(isDangerous && { plan: ["Paper Foxes", "The Salt Road"] }),
      isDangerous,
      ...(isDangerous && { option: "Its books as well" }),
    });
    this.says = answer ? `Yes${answer.option ? ", with the books" : ""}.` : "It was cancelled.";
  }
}
