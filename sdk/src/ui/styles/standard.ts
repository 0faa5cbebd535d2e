import { css, type CSSResult } from "lit";
import { base } from "./base.js";
import { buttons } from "./buttons.js";
import { fields } from "./fields.js";
import { headings } from "./headings.js";
import { layout } from "./layout.js";
import { surfaces } from "./surfaces.js";

const block = css`
  :host {
    display: block;
  }
`;

/**
 * What most elements of a plugin need: base, headings, layout, buttons, fields and surfaces, as a block of the page.
 */
export const standard: CSSResult[] = [block, base, headings, layout, buttons, fields, surfaces];
