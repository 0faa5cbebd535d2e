import { base, buttons as pressed, cards, covers, headings, layout, notices, pageFrame } from "@longbox/sdk/ui";
import { surfaces } from "./surfaces.js";

export { base, dialogs, headings as type, pageFrame as pages } from "@longbox/sdk/ui";
export { forms } from "./forms.js";
export { surfaces } from "./surfaces.js";

/** Buttons and rows of buttons. */
export const buttons = [pressed, layout];

/** The base styles of every page. */
export const page = [base, headings, buttons, pageFrame, surfaces, notices, covers, cards];
