/** Hearing of changes below a folder, for programs that build what a server runs. */
export { TreeWatch, type WatchedTree } from "./plugins/linked/tree-watch.js";
