type ElementClass = CustomElementConstructor & { readonly observedAttributes?: readonly string[] };

interface Definition {
  /** The class of elements that are created from now on. */
  current: ElementClass;
  /** Stands in for the present class where the browser knows it. */
  readonly standIn: CustomElementConstructor;
  /** Whether the next definition replaces this one. */
  isOpen: boolean;
  /** How many classes it has had. */
  count: number;
  /**
   * Its classes by the code that they come from: a browser does not run a module again when a version is gone back to.
   */
  readonly byCode: Map<string, ElementClass>;
}

const callbacks = ["connectedCallback", "disconnectedCallback", "adoptedCallback", "attributeChangedCallback"] as const;
type Callbacks = Partial<Record<(typeof callbacks)[number], (...values: unknown[]) => unknown>>;

/** Elements of the interface and its kit are defined once for all plugins. */
const isOwn = (name: string) => name.startsWith("lb-");

/**
 * Custom elements whose class can be replaced, since a browser defines a name only once in a document: it is given a
 * stand-in, which makes each element of the class that is the present one. Elements that are there already keep the
 * class that they have.
 */
export class ReplaceableElements {
  readonly #definitions = new Map<string, Definition>();

  /** From now on `customElements` defines elements that can be replaced. */
  constructor(registry: CustomElementRegistry) {
    const { define, get } = registry;
    registry.define = (name, type, options) => {
      if (isOwn(name) || options?.extends !== undefined) return define.call(registry, name, type, options);
      this.#define(name, type, (as, made) => define.call(registry, as, made));
    };
    registry.get = (name) => {
      const known = this.#definitions.get(name);
      if (known === undefined) return get.call(registry, name);
      return known.isOpen ? undefined : known.current;
    };
  }

  /**
   * The code of a plugin has changed. Its names can be defined once more, unless that code has done so before. Until
   * then they count as not defined, so that what wants to show them loads the code.
   */
  change(code: { readonly from: string; readonly to: string }, isMeant: (name: string) => boolean): void {
    for (const [name, definition] of this.#definitions) {
      if (!isMeant(name)) continue;
      if (!definition.isOpen) definition.byCode.set(code.from, definition.current);
      const before = definition.byCode.get(code.to);
      if (before) use(definition, before);
      else definition.isOpen = true;
    }
  }

  #define(name: string, type: ElementClass, define: (as: string, type: CustomElementConstructor) => void): void {
    const known = this.#definitions.get(name);
    // The browser says what is wrong.
    if (known && !known.isOpen) return define(name, known.standIn);
    const count = (known?.count ?? 0) + 1;
    // Under a name of its own, the class can be constructed by `new` as well.
    define(`${name}.${count}`, type);
    if (known) {
      known.count = count;
      return use(known, type);
    }
    const definition = makeDefinition(type);
    define(name, definition.standIn);
    // The browser has taken them; from now on calls go to the class.
    for (const callback of callbacks) Reflect.deleteProperty(definition.standIn.prototype, callback);
    this.#definitions.set(name, definition);
  }
}

function use(definition: Definition, type: ElementClass): void {
  Object.setPrototypeOf(definition.standIn.prototype, type.prototype);
  definition.current = type;
  definition.isOpen = false;
}

function makeDefinition(type: ElementClass): Definition {
  // The browser is told once which attributes to follow.
  const observed = [...(type.observedAttributes ?? [])];
  function standIn(): HTMLElement {
    const { current } = definition;
    const element = Reflect.construct(current, [], new.target!) as HTMLElement;
    return Object.setPrototypeOf(element, current.prototype) as HTMLElement;
  }
  standIn.prototype = Object.create(type.prototype);
  for (const callback of callbacks)
    standIn.prototype[callback] = function (this: HTMLElement & Callbacks, ...values: unknown[]) {
      if (callback === "connectedCallback") followOthers(this, observed);
      return this[callback]?.(...values);
    };
  const told = { observedAttributes: observed, formAssociated: Reflect.get(type, "formAssociated") };
  const constructor = Object.assign(standIn, told) as unknown as CustomElementConstructor;
  const [standing, byCode] = [{ standIn: constructor, isOpen: false, count: 1 }, new Map<string, ElementClass>()];
  const definition: Definition = { current: type, byCode, ...standing };
  return definition;
}

const followed = new WeakSet<Element>();

/** Follows the attributes that only a later class observes. */
function followOthers(element: HTMLElement & Callbacks, observed: readonly string[]): void {
  const { observedAttributes = [] } = element.constructor as ElementClass;
  const others = observedAttributes.filter((name) => !observed.includes(name));
  if (others.length === 0 || followed.has(element)) return;
  followed.add(element);
  const tell = (name: string, before: string | null) =>
    element.attributeChangedCallback?.(name, before, element.getAttribute(name));
  for (const name of others) if (element.hasAttribute(name)) tell(name, null);
  new MutationObserver((changes) => {
    for (const { attributeName, oldValue } of changes) if (attributeName !== null) tell(attributeName, oldValue);
  }).observe(element, { attributeFilter: others, attributeOldValue: true });
}
