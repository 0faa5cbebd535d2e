// The account of a server that is only for developing, where there is a web interface to sign in at.

/**
 * On a server that only this machine reaches, and that forgets it: without an account, it would trust every program
 * here.
 */
export const developer = { username: "developer", password: "developer" };

/** Makes the account. @returns a key of it */
export async function makeDeveloper(server: string): Promise<string> {
  const url = (path: string) => new URL(path, server);
  await post(url("/api/users"), { ...developer, role: "admin" });
  const { headers } = await post(url("/api/auth/login"), developer);
  const cookies = headers.getSetCookie().map((each) => each.split(";")[0]);
  const made = await post(url("/api/auth/apikey"), {}, { cookie: cookies.join("; "), origin: url("/").origin });
  return ((await made.json()) as { readonly key: string }).key;
}

async function post(url: URL, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const given = { "content-type": "application/json", ...headers };
  const answer = await fetch(url, { method: "POST", headers: given, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`The server's ${url.pathname} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}
