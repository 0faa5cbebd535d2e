import type { QueryResult } from "pg";
import type { Login } from "./logins.js";

/** How a connection is set up for one user: who signs in, the schema it works in, and whether it may write. */
export interface Session {
  /** The role whose connections these are; without one it is that of the server's address. */
  readonly login?: Login | undefined;
  readonly schema: string;
  readonly access: "reading" | "writing";
}

/** A connection that one caller has for itself until it gives it back. */
export interface PooledConnection {
  query(text: string, values?: readonly unknown[]): Promise<QueryResult>;
  /** Gives it back for the next caller. */
  free(): void;
  /** Ends it, with the statement that runs on it and whatever was begun; the next caller gets another one. */
  end(): void;
}
