import type { TestHost } from "@longbox/sdk/testing";
import { strFromU8, unzipSync } from "fflate";

const lists = ["queue", "history", "history/failed", "blacklist", "sources", "status", "logs", "settings"];

/** Where the server shows one of these secrets: in answers, the log, the support package. */
export async function leaksOf(host: TestHost, secrets: readonly string[]): Promise<string[]> {
  const admin = host.as("admin");
  const places: Array<readonly [string, string]> = [];
  for (const path of [...lists.map((list) => `/api/${list}`), "/api/notifications"]) {
    const { status, body } = await admin.get(path);
    if (status !== 200) throw new Error(`${path} answered ${status}.`);
    places.push([path, JSON.stringify(body)]);
  }
  const support = await admin.get("/api/support/package");
  for (const [name, bytes] of Object.entries(unzipSync(support.bytes))) places.push([name, strFromU8(bytes)]);
  return places.flatMap(([name, text]) => (secrets.some((secret) => text.includes(secret)) ? [name] : []));
}
