import type { RouteRequest } from "@longbox/sdk";
import type { Access } from "../../access/access.js";
import type { Account } from "../../access/accounts/account.js";
import { usernameKey } from "../../access/accounts/accounts.js";
import { deviceCookieFor, deviceOf, sessionCookieFor } from "../../access/credentials/cookies.js";
import { newSessionToken } from "../../access/credentials/secrets.js";
import { behind } from "../routing/route-call.js";

/** Begins a session for the browser that asks. @returns the cookies that it must be given */
export async function beginSession(access: Access, request: RouteRequest, account: Account): Promise<string[]> {
  const { client, grant } = behind(request);
  // A session that the browser had before must not live on beside the new one.
  await access.membership.signOut(grant);
  const { token } = await access.sessions.begin(account.id);
  await access.accounts.seen(account.id, new Date().toISOString());
  const device = deviceOf(request.header("cookie")) ?? newSessionToken();
  await access.signInThrottle.remember({ name: usernameKey(account.username), address: client.address, device });
  return [sessionCookieFor(token, client), deviceCookieFor(device, client)];
}
