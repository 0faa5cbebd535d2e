/** Where to listen: an address, or a socket that a supervisor holds and hands down. */
export type ListenPlace = { readonly host: string; readonly port: number } | { readonly fd: number };
