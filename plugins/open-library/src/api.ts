export type { OpenLibraryState, Review, ReviewedBook, WorkCandidate, WorkRow } from "./shapes.js";
