import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

/** A role that signs in. */
export interface Login {
  readonly user: string;
  readonly password: string;
}

/** The password of a role: nothing has to be stored for each, and a server that shares the folder makes the same. */
export function loginOf(user: string, secret: string): Login {
  return { user, password: createHmac("sha256", secret).update(user).digest("hex") };
}

/**
 * The same server and database, for this role. What the query says of a user counts more than what precedes the host.
 */
export function addressFor(url: string, { user, password }: Login): string {
  const [address = "", query = ""] = url.split("?", 2);
  const parameters = new URLSearchParams(query);
  parameters.set("user", user);
  parameters.set("password", password);
  return `${address}?${parameters.toString()}`;
}

const iterations = 4096;

/**
 * What PostgreSQL keeps of a password, by RFC 5803. It is sent in this form because statements may be logged.
 */
export function verifierOf({ password }: Login): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256");
  const keyFor = (purpose: string) => createHmac("sha256", salted).update(purpose).digest();
  const storedKey = createHash("sha256").update(keyFor("Client Key")).digest("base64");
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${storedKey}:${keyFor("Server Key").toString("base64")}`;
}
