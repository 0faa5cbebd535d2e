/**
 * Class decorator that defines a custom element, once: where the page knows the name already, because the plugin was
 * updated while the page was open, the first definition stays until the document is reloaded.
 * @param name - Begins with the id of the plugin, so that no two plugins meet: `shelves-page`.
 */
export function element(name: string): (type: CustomElementConstructor, _context?: unknown) => void {
  return (type) => {
    if (customElements.get(name) === undefined) customElements.define(name, type);
  };
}
