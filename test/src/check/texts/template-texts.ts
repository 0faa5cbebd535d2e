/** What a template of lit shows: its own texts, and which of its values are shown or read aloud. */

export interface TemplateTexts {
  /**
   * Texts between tags, and in attributes that people see or hear, each with its string of the template and its place
   * in it.
   */
  readonly texts: readonly { readonly text: string; readonly string: number; readonly offset: number }[];
  /** For each value of the template, whether it is shown as text or in such an attribute. */
  readonly areShown: readonly boolean[];
}

/** Attributes, properties and fields of objects whose text people see or hear. */
export const shownNames: ReadonlySet<string> = new Set([
  ...["alt", "aria-description", "aria-label", "aria-placeholder", "aria-roledescription", "aria-valuetext"],
  ...["ariaLabel", "caption", "description", "empty", "explanation", "heading", "headline", "hint", "label", "message"],
  ...["noun", "placeholder", "prompt", "sentence", "subtitle", "summary", "text", "title", "tooltip", "unit"],
]);

/** Stands for a value while a template is read. */
const mark = "\u0001";
/** Stands for every character of a tag. */
const edge = "\u0002";
/** Code and keys are the same in every language. */
const unspoken = /<!--[\s\S]*?-->|<(style|code|kbd|pre|samp)\b[^>]*>[\s\S]*?<\/\1>/g;
const tag = /<\/?[a-zA-Z\u0001](?:"[^"]*"|'[^']*'|[^>"'])*>/g;
const attribute = /(?<=\s)\.?([\w-]+)\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/g;

/** @param strings - the strings of the template: one more than it has values */
export function textsOf(strings: readonly string[]): TemplateTexts {
  const whole = strings.join(mark);
  const shown = shownParts(whole);
  const stringAt = (index: number) => whole.slice(0, index).split(mark).length - 1;
  const offsetOf = (index: number) => index - (whole.slice(0, index).lastIndexOf(mark) + 1);
  const areShown = strings.slice(1).map(() => false);
  for (const { index, text } of shown)
    for (const found of text.matchAll(/\u0001/g)) areShown[stringAt(index + found.index)] = true;
  const texts = shown.flatMap(({ index, text }) =>
    [...text.matchAll(/[^\s\u0001\u0002][^\u0001\u0002]*/g)].map((found) => {
      const at = index + found.index;
      return { text: found[0], string: stringAt(at), offset: offsetOf(at) };
    }),
  );
  return { texts, areShown };
}

/** The parts of a template that people see or hear. Blanks stand for the rest, so that indexes stay. */
function shownParts(whole: string): { index: number; text: string }[] {
  const spoken = whole.replaceAll(unspoken, (part) => part.replaceAll(/[^\n]/g, " "));
  const attributes = [...spoken.matchAll(tag)].flatMap((markup) =>
    [...markup[0].matchAll(attribute)]
      .filter(([, name = ""]) => shownNames.has(name))
      .map((found) => ({ index: markup.index + found.index + found[0].length - found[2]!.length, text: found[2]! })),
  );
  const between = spoken.replaceAll(tag, (markup) => edge.repeat(markup.length));
  return [{ index: 0, text: between }, ...attributes];
}
