import type { QueryResult } from "pg";
import type { Login } from "./logins.js";

/** How a connection is set up for one user: who signs in, the schema it works in, and whether it may write. */
export interface Session {
  /** The role whose connections these are; without one it is that of the server's address. */
  readonly login?: Login | undefined;
  readonly schema: string;
  readonly access: "reading" | "writing";
  /** Its statements are those of a stranger: an isolated plugin's. */
  readonly isConfined?: boolean | undefined;
}

/** A connection that one caller has for itself until it gives it back. */
export interface PooledConnection {
  /** @param values - with them, even if there are none, the text is one statement: PostgreSQL refuses several */
  query(text: string, values?: readonly unknown[]): Promise<QueryResult>;
  /** Gives it back for the next caller. */
  free(): void;
  /**
   * Ends it, on the server too, with the statement that runs on it and whatever was begun; the next caller gets another
   * one.
   */
  end(): void;
}
