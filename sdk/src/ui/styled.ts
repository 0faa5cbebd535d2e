import { noChange } from "lit";
import {
  Directive,
  directive,
  type DirectiveResult,
  type ElementPart,
  type PartInfo,
  PartType,
} from "lit/directive.js";

class Styled extends Directive {
  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error("styled() stands in the tag, not in an attribute.");
  }

  override render(_styles: Readonly<Record<string, string>>): unknown {
    return noChange;
  }

  override update(part: ElementPart, [styles]: [Readonly<Record<string, string>>]): unknown {
    const { style } = part.element as HTMLElement;
    for (const [name, value] of Object.entries(styles)) style.setProperty(name, value);
    return noChange;
  }
}

/**
 * Sets properties through CSSOM. Lit's own `styleMap` writes the attribute at first, which a strict Content Security
 * Policy refuses.
 */
export const styled: (styles: Readonly<Record<string, string>>) => DirectiveResult = directive(Styled);
