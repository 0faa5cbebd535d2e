const json = { "content-type": "application/json" };

/** A user with an API key. */
export interface Person {
  readonly key: string;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  json(path: string): Promise<any>;
  post(path: string, body: unknown): Promise<any>;
}

const limitMs = 60_000;

/** Makes the first account, an admin. */
export async function firstAdmin(url: string): Promise<Person> {
  const body = JSON.stringify({ username: "ada", password: "correct horse battery" });
  const answer = await fetch(`${url}/api/auth/register`, { method: "POST", headers: json, body });
  return withKey(url, answer);
}

/** Makes an account with the role of a viewer. */
export async function newViewer(url: string, admin: Person, username = "vera"): Promise<Person> {
  const account = { username, password: "correct horse battery" };
  await admin.post("/api/users", { ...account, role: "viewer" });
  const answer = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: json,
    body: JSON.stringify(account),
  });
  return withKey(url, answer);
}

async function withKey(url: string, signedIn: Response): Promise<Person> {
  const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
  const made = await fetch(`${url}/api/auth/apikey`, { method: "POST", headers: { cookie, origin: url } });
  const { key } = (await made.json()) as { key: string };
  return personWithKey(url, key);
}

/** The user of a key, also of a server that has started again. */
export function personWithKey(url: string, key: string): Person {
  const own = { "x-api-key": key };
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(url + path, { headers: { ...own, ...headers }, signal: AbortSignal.timeout(limitMs) });
  const read = async (answer: Response) => {
    if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  return {
    key,
    get,
    json: async (path) => read(await get(path)),
    post: async (path, body) =>
      read(await fetch(url + path, { method: "POST", headers: { ...own, ...json }, body: JSON.stringify(body) })),
  };
}
