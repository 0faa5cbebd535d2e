import type { ClientSubject, ContributedElement } from "@longbox/sdk/client";
import { LitElement, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { keyOf, type SlotEntry } from "../shell/contributions.js";
import { Watch } from "../shell/observable.js";
import type { Shell } from "../shell/shell.js";
import { failureNotice } from "../shell/loading.js";

type Mounted = HTMLElement & ContributedElement;

/** Names an entry with the code that it comes from. */
const codeOf = (key: string, { part }: SlotEntry) => `${key} ${part?.js}`;

/**
 * A place where plugins show their own elements, for as long as each plugin is active. With `lazy` they are
 * created once the place comes near the window. Dispatches `filled` when one of them is there.
 */
@customElement("lb-slot")
export class Slot extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  @property() name = "";
  @property({ attribute: false }) subject: ClientSubject = {};
  @property({ type: Boolean }) lazy = false;
  /** What is shown, where the page decides that; by default everything that plugins add, in their order. */
  @property({ attribute: false }) entries: readonly SlotEntry[] | undefined;
  @state() private near = false;

  readonly #mounted = new Map<string, Mounted>();
  /** The code that each of them comes from. */
  readonly #codes = new WeakMap<Mounted, string>();
  readonly #failed = new Set<string>();
  /** Those whose code is being loaded. */
  readonly #asked = new Set<string>();
  #observer: IntersectionObserver | undefined;

  constructor() {
    super();
    new Watch(this, () => [this.longbox.contributions.parts, this.longbox.session.state]);
  }

  /** In the tree of the page that owns the slot, so that the page controls the layout. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.lazy && !this.near) this.#awaitNearness();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
  }

  override render() {
    return nothing;
  }

  override updated(): void {
    if (this.lazy && !this.near) return;
    const offered = () => this.longbox.contributions.inSlot(this.name, (permission) => this.longbox.may(permission));
    const entries = this.entries ?? offered();
    const wanted = new Map(entries.map((entry) => [keyOf(entry), entry]));
    for (const [key, element] of this.#mounted) {
      if (!wanted.has(key)) this.#unmount(key, element);
    }
    for (const [key, entry] of wanted) this.#define(key, entry);
    for (const [key, entry] of wanted) {
      // Where the page decides what is shown, nothing comes before an element that is still being loaded and then
      // moves.
      if (this.entries && this.#isLoading(key, entry)) break;
      this.#mount(key, entry);
    }
    this.#order([...wanted.keys()]);
    if (this.toggleAttribute("filled", this.#mounted.size > 0)) this.dispatchEvent(new Event("filled"));
  }

  #define(key: string, entry: SlotEntry): void {
    const { part, element } = entry;
    const code = codeOf(key, entry);
    if (!part || this.#failed.has(code) || this.#asked.has(code) || customElements.get(element)) return;
    this.#asked.add(code);
    this.longbox.contributions
      .define(part, element)
      .catch((thrown: unknown) => this.#fail(code, thrown))
      .finally(() => {
        this.#asked.delete(code);
        this.requestUpdate();
      });
  }

  #isLoading(key: string, entry: SlotEntry): boolean {
    return !this.#failed.has(codeOf(key, entry)) && !customElements.get(entry.element);
  }

  #mount(key: string, entry: SlotEntry): void {
    const mounted = this.#mounted.get(key);
    if (mounted && this.#stays(mounted, key, entry)) {
      if (mounted.subject !== this.subject) mounted.subject = this.subject;
      return;
    }
    if (!customElements.get(entry.element)) return;
    if (mounted) this.#unmount(key, mounted);
    const element = document.createElement(entry.element) as Mounted;
    this.#codes.set(element, codeOf(key, entry));
    element.longbox = this.longbox.forPlugins;
    element.subject = this.subject;
    this.#mounted.set(key, element);
  }

  /** One of a plugin that was updated stays until the new code is loaded, and while the user is in it. */
  #stays(mounted: Mounted, key: string, entry: SlotEntry): boolean {
    if (this.#codes.get(mounted) === codeOf(key, entry)) return true;
    return !customElements.get(entry.element) || mounted.contains(document.activeElement);
  }

  #unmount(key: string, element: Mounted): void {
    element.remove();
    this.#mounted.delete(key);
  }

  /** Puts the elements in order, moving only those in the wrong place. */
  #order(keys: readonly string[]): void {
    let before: ChildNode | undefined;
    for (const key of keys) {
      const element = this.#mounted.get(key);
      if (!element) continue;
      const place = before ? before.nextSibling : this.firstChild;
      if (place !== element) this.insertBefore(element, place);
      before = element;
    }
  }

  #fail(code: string, thrown: unknown): void {
    this.#failed.add(code);
    console.error(thrown);
    this.longbox.notify(...failureNotice(thrown));
  }

  #awaitNearness(): void {
    this.#observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        this.#observer?.disconnect();
        this.near = true;
      },
      { rootMargin: "300px" },
    );
    this.#observer.observe(this);
  }
}
