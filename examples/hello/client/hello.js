// A custom element without a build step: the web UI gives it `longbox`, the way to the API, before it is connected.
class HelloGreeting extends HTMLElement {
  longbox;

  async connectedCallback() {
    const { message } = await this.longbox.api("/api/hello");
    this.textContent = message;
  }
}

if (!customElements.get("hello-greeting")) customElements.define("hello-greeting", HelloGreeting);
