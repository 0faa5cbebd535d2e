import { createHash, randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "./whole-file.js";
import { publisher } from "./verdaccio-configuration.js";

/** Creates the account for publishing, if there is none. Returns its password. */
export async function preparePublisher(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const secretFile = join(folder, "secret");
  const kept = await readFile(secretFile, "utf8").catch(ifMissing);
  const password = kept?.trim() || randomBytes(32).toString("hex");
  if (kept === undefined) await writeWhole(secretFile, `${password}\n`);
  // The password is 256 random bits, so a fast hash is as good as a slow one here.
  const hash = createHash("sha1").update(password).digest("base64");
  await writeWhole(join(folder, "htpasswd"), `${publisher}:{SHA}${hash}:autocreated 2026-01-01T00:00:00.000Z\n`);
  return password;
}

/** Signs in and writes the token for publishing to the file `token`. */
export async function signIn(url: string, folder: string, password: string): Promise<string> {
  const answer = await fetch(`${url}/-/user/org.couchdb.user:${publisher}`, {
    method: "PUT",
    headers: {
      "content-type": "application/json",
      authorization: `Basic ${Buffer.from(`${publisher}:${password}`).toString("base64")}`,
    },
    body: JSON.stringify({ name: publisher, password }),
  });
  const { token } = (await answer.json()) as { token?: string };
  if (!answer.ok || !token) throw new Error(`The registry refused the publisher's password (${answer.status}).`);
  await writeWhole(join(folder, "token"), `${token}\n`);
  return token;
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
  return undefined;
}
