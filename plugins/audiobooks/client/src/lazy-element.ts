import { t } from "@longbox/sdk/ui";
import type { ClientSubject, ContributedElement, LongboxClient } from "@longbox/sdk/client";

interface Loading {
  /** Defines the inner element. */
  readonly load: () => Promise<unknown>;
  /** Whether it is needed at once; otherwise it is when the event `longbox-audiobooks` is heard. */
  readonly isNeeded: () => boolean;
}

/** Defines an element that loads another one when it is needed, and shows it in its place. */
export function defineLazily(name: string, inner: string, { load, isNeeded }: Loading): void {
  customElements.define(
    name,
    class extends HTMLElement {
      longbox?: LongboxClient;
      #subject: ClientSubject = {};
      #inner: (HTMLElement & ContributedElement) | undefined;
      readonly #show = () => void this.#load();

      set subject(subject: ClientSubject) {
        this.#subject = subject;
        if (this.#inner) this.#inner.subject = subject;
      }

      get subject(): ClientSubject {
        return this.#subject;
      }

      connectedCallback(): void {
        this.style.display = "block";
        addEventListener("longbox-audiobooks", this.#show);
        if (isNeeded()) this.#show();
      }

      disconnectedCallback(): void {
        removeEventListener("longbox-audiobooks", this.#show);
      }

      async #load(): Promise<void> {
        if (this.#inner) return;
        try {
          await load();
        } catch (problem) {
          console.warn("The player could not be loaded.", problem);
          return this.replaceChildren(cannotLoad());
        }
        if (this.#inner || !this.longbox) return;
        this.#inner = document.createElement(inner) as HTMLElement & ContributedElement;
        this.#inner.longbox = this.longbox;
        this.#inner.subject = this.#subject;
        this.replaceChildren(this.#inner);
      }
    },
  );
}

/** A module that could not be loaded is not asked for again by every browser: the document has to be loaded again. */
function cannotLoad(): HTMLElement {
  const [message, again] = [document.createElement("p"), document.createElement("button")];
  message.setAttribute("role", "alert");
  message.style.cssText = "display: flex; flex-wrap: wrap; align-items: center; gap: 0.75rem; padding: 0.75rem 1rem";
  again.textContent = t("lazyElement.loadThePageAgain");
  again.addEventListener("click", () => location.reload());
  message.append(t("lazyElement.thePlayerCouldNot"), again);
  return message;
}
