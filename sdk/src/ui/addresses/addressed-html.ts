import { html as plainHtml } from "lit/html.js";
import { addressOf, basePath } from "./base-path.js";

/** A template whose fixed addresses begin with the base path, and which of its values are addresses. */
interface Addressed {
  readonly strings: TemplateStringsArray;
  readonly addresses: readonly number[];
  /** Values of `srcset`, which are lists. */
  readonly lists: readonly number[];
}

/** A tag, or an attribute with an address: a fixed one, or one that is a value at the end of a string. */
const places = /<(?<tag>[a-z][\w-]*)|\s(?<name>href|src|srcset|poster)=["']?(?:(?<fixed>\/(?!\/))|$)/gi;
const known = new WeakMap<TemplateStringsArray, Addressed>();

/**
 * The `html` of lit, for a server below a base path: paths in `href`, `src`, `srcset` and `poster` of the elements of
 * HTML become addresses below it. The attributes of custom elements stay, because these show them in templates of their
 * own.
 */
const addressedHtml: typeof plainHtml = (strings, ...values) => {
  const template = known.get(strings) ?? addressed(strings);
  known.set(strings, template);
  const given: unknown[] = values;
  for (const at of template.addresses) given[at] = mapped(given[at], addressOf);
  for (const at of template.lists) given[at] = mapped(given[at], addressesOf);
  return plainHtml(template.strings, ...given);
};

export const html = basePath === "" ? plainHtml : addressedHtml;

function addressed(strings: TemplateStringsArray): Addressed {
  const addresses: number[] = [];
  const lists: number[] = [];
  let tag = "";
  const texts = strings.map((text, index) =>
    text.replace(places, (whole, ...found) => {
      const { tag: begun, name = "", fixed } = found.at(-1) as Record<string, string | undefined>;
      if (begun !== undefined) tag = begun;
      if (begun !== undefined || tag.includes("-")) return whole;
      if (fixed !== undefined) return `${whole.slice(0, -1)}${basePath}/`;
      (name.toLowerCase() === "srcset" ? lists : addresses).push(index);
      return whole;
    }),
  );
  return { strings: Object.assign(texts, { raw: strings.raw }), addresses, lists };
}

/** Directives and `nothing` stay as they are. */
const mapped = (value: unknown, change: (text: string) => string) =>
  typeof value === "string" ? change(value) : value;

const addressesOf = (list: string) => list.split(/,\s+/).map(addressOf).join(", ");
