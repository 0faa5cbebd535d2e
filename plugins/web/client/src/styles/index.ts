import { base, buttons as pressed, headings, layout, pageFrame } from "@longbox/sdk/ui";
import { skeletons } from "./skeletons.js";
import { surfaces } from "./surfaces.js";

export { base, headings as type, pageFrame as pages } from "@longbox/sdk/ui";
export { dialogs } from "./dialogs.js";
export { forms } from "./forms.js";
export { skeletons } from "./skeletons.js";
export { surfaces } from "./surfaces.js";

/** Buttons, and the rows that they stand in. */
export const buttons = [pressed, layout];

/** What every page starts from. */
export const page = [base, headings, buttons, pageFrame, surfaces, skeletons];
