export { base } from "./base.js";
export { buttons } from "./buttons.js";
export { dialogs } from "./dialogs.js";
export { forms } from "./forms.js";
export { pages } from "./pages.js";
export { surfaces } from "./surfaces.js";
export { type } from "./type.js";
