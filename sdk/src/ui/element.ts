/**
 * Class decorator that defines a custom element, once: where the page knows the name already, the first definition
 * stays. When the plugin is updated while the page is open, its names count as not known again, and its new classes
 * take their places.
 * @param name - Begins with the id of the plugin, so that no two plugins meet: `shelves-page`.
 */
export function element(name: string): (type: CustomElementConstructor, _context?: unknown) => void {
  return (type) => {
    if (customElements.get(name) === undefined) customElements.define(name, type);
  };
}
