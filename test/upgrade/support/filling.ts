// What people leave on a server: accounts, libraries, settings, reading, lists, requests.
import type { Answer, Client, ReleaseServer } from "./server.ts";
import { until } from "./server.ts";

/** Fills an empty server that serves a folder of comics. @returns the API key of its admin */
export async function fillServer(server: ReleaseServer, comics: string): Promise<string> {
  const account = { username: "ada", password: "six white moths at night" };
  const registered = await accepted(server.as(undefined).post("/api/auth/register", account));
  const cookie = registered.headers.getSetCookie()[0]!.split(";")[0]!;
  const made = await fetch(`${server.url}/api/auth/apikey`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json", origin: server.url },
    body: "{}",
  });
  const { apiKey, key = apiKey } = (await made.json()) as { key?: string; apiKey?: string };
  if (key === undefined) throw new Error("There was no API key in the answer.");
  const admin = server.as(key);
  await accepted(admin.post("/api/users", { username: "bo", password: "a lantern for the harbour", role: "viewer" }));
  await accepted(admin.post("/api/libraries", { name: "Comics", type: "comic", rootFolder: comics }));
  await until(async () => (await admin.get("/api/collection")).body.length === 3 && (await isQuiet(admin)));
  await useLibrary(admin);
  await changeSettings(admin);
  await until(() => isQuiet(admin));
  return key;
}

async function isQuiet(admin: Client): Promise<boolean> {
  const jobs = (await admin.get("/api/jobs")).body as Array<{ state: string }>;
  const isIdle = jobs.every(({ state }) => state !== "running" && state !== "queued");
  return isIdle && !(await admin.get("/api/scan-folder")).body.running;
}

async function useLibrary(admin: Client): Promise<void> {
  const [series, other] = (await admin.get("/api/collection")).body;
  const { issues } = (await admin.get(`/api/collection/${series.id}`)).body;
  const [first, second, third] = issues.map(({ cvIssueId }: { cvIssueId: number }) => cvIssueId);
  const { id: list } = (await accepted(admin.post("/api/lists", { name: "Favourites", cvIssueIds: [first] }))).body;
  for (const [path, body] of [
    [`/api/reader/issue/${first}/progress`, { page: 1, pages: 4 }],
    [`/api/reader/issue/${second}/mark`, { read: true }],
    [`/api/reader/issue/${first}/bookmark`, { page: 2, on: true }],
    [`/api/reader/later/${third}`, { on: true }],
    [`/api/collection/${series.id}/follow`, { follow: true }],
    [`/api/collection/${other.id}/restricted`, { restricted: true }],
    [`/api/collection/${series.id}/aliases`, { aliases: ["The Other Name"] }],
    [`/api/lists/${list}/items`, { cvIssueId: second }],
    [`/api/lists/${list}/public`, { public: true }],
  ] as const)
    await accepted(admin.post(path, body));
}

async function changeSettings(admin: Client): Promise<void> {
  const operations = { supportUrl: "https://support.example/", supportKey: "kept secret" };
  await accepted(admin.post("/api/settings", { backup: { keep: 3 }, operations }));
  await accepted(admin.post("/api/schedules/operations.backup", { cron: "15 4 * * *" }));
  await accepted(admin.post("/api/auth/hide-mature", { hide: false }));
  await accepted(admin.post("/api/queue/pause"));
}

/** @throws when the server refused */
async function accepted(asking: Promise<Answer>): Promise<Answer> {
  const answer = await asking;
  if (answer.status >= 300) throw new Error(`It was refused with ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer;
}
