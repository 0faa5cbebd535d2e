// Stands on the account page, and looks as that page says: makes the password that e-readers sign in with. Written
// without a build step.
class KosyncLitePassword extends HTMLElement {
  longbox;

  connectedCallback() {
    this.className = "card";
    void this.#show(this.longbox.api("/api/kosync-lite/password"));
  }

  async #show(asked) {
    try {
      const { username, madeAt, password } = await asked;
      const heading = make("h2", "E-readers");
      const server = location.origin + this.longbox.addressOf("/kosync-lite");
      const says = make("p", `KOReader keeps its place here: server ${server}, user ${username}.`);
      const state = password
        ? make("p", `The password, shown only now: ${password}`)
        : make(
            "p",
            madeAt
              ? `There is a password since ${new Date(madeAt).toLocaleDateString()}.`
              : "There is no password yet.",
          );
      state.setAttribute("role", "status");
      const button = make("button", madeAt ? "Make a new password" : "Make a password");
      button.addEventListener("click", () =>
        this.#show(this.longbox.api("/api/kosync-lite/password", { method: "POST" })),
      );
      this.replaceChildren(heading, says, state, button);
    } catch (problem) {
      this.replaceChildren(make("p", problem.message));
    }
  }
}

function make(name, text) {
  return Object.assign(document.createElement(name), { textContent: text });
}

if (!customElements.get("kosync-lite-password")) customElements.define("kosync-lite-password", KosyncLitePassword);
