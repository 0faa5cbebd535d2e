export { KitPage } from "./page.js";
export { KitBasics } from "./parts/basics.js";
export { KitCovers } from "./parts/covers.js";
export { KitLists } from "./parts/lists.js";
export { KitMeasure } from "./parts/measure.js";
export { KitOverlays } from "./parts/overlays.js";
export { KitStates } from "./parts/states.js";
export { KitRows } from "./parts/rows.js";
export { KitSave, KitServed } from "./parts/served.js";
