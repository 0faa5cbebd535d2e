export { RemoteBooks } from "./remote/remote-contract.js";
export type { RemoteBook, RemoteBookPart, RemoteBookSource } from "./remote/remote-contract.js";
