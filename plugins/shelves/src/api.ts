import type { z } from "zod";
import type * as shapes from "./shapes.js";

export type ShelfItem = z.output<typeof shapes.shelfItemSchema>;
export type ItemPage = z.output<typeof shapes.itemPageSchema>;
export type FacetValue = z.output<typeof shapes.facetValueSchema>;
export type FacetList = z.output<typeof shapes.facetListSchema>;
export type ShelvesStatus = z.output<typeof shapes.statusSchema>;
export type RebuildStatus = z.output<typeof shapes.rebuildStatusSchema>;
export type KeptShelf = z.output<typeof shapes.keptShelfSchema>;
export type Strip = z.output<typeof shapes.stripSchema>;
export type Recommended = z.output<typeof shapes.recommendedSchema>;
