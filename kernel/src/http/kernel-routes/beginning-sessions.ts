import type { RouteRequest } from "@longbox/sdk";
import type { Access } from "../../access/access.js";
import type { Account } from "../../access/accounts/account.js";
import { usernameKey } from "../../access/accounts/accounts.js";
import { deviceCookieFor, deviceOf, sessionCookieFor } from "../../access/credentials/cookies.js";
import { newSessionToken } from "../../access/credentials/secrets.js";
import { cannotBeStored } from "../../storage/index.js";
import { behind } from "../routing/route-call.js";

/** What the browser is given for its session. */
export interface BegunSession {
  readonly cookies: string[];
  /** False where the disk is full or cannot be written to: the session ends with the server. */
  readonly isStored: boolean;
}

/** Begins a session for the browser that asks, also while nothing can be written. */
export async function beginSession(access: Access, request: RouteRequest, account: Account): Promise<BegunSession> {
  const { client, grant } = behind(request);
  // A session that the browser had before must not live on beside the new one.
  await whereWritable(access.membership.signOut(grant));
  const { token, isStored } = await access.sessions.begin(account.id);
  await whereWritable(access.accounts.seen(account.id, new Date().toISOString()));
  const device = deviceOf(request.header("cookie")) ?? newSessionToken();
  await access.signInThrottle.remember({ name: usernameKey(account.username), address: client.address, device });
  return { cookies: [sessionCookieFor(token, client), deviceCookieFor(device, client)], isStored };
}

/** Signing in succeeds although the disk is full and the entry cannot be written. */
async function whereWritable(writing: Promise<void>): Promise<void> {
  await writing.catch((fault: unknown) => {
    if (!cannotBeStored(fault)) throw fault;
  });
}
