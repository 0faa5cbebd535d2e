import type { TestClient, TestUser } from "@longbox/sdk/testing";
import type { Access } from "../access/access.js";
import type { HttpClientOptions } from "./http-client.js";
import { httpClient } from "./http-client.js";

const ordinaryRoles = ["viewer", "trusted", "admin"];

/** The users of a test, who sign in with keys. They outlive a restart of the kernel. */
export class TestUsers {
  readonly #keys = new Map<string, string>();

  constructor(
    private readonly access: () => Access,
    private readonly calls: Omit<HttpClientOptions, "key" | "makeKey">,
  ) {}

  /** Makes a user for each ordinary role, so that the server is no longer open to all. */
  async open(): Promise<void> {
    for (const role of ordinaryRoles) await this.keyOf(role);
    this.access().openMode.end();
  }

  /** A client of the user of this role, who is made at the first call. */
  as(role: string): TestClient {
    const isAnonymous = role === "anonymous";
    return httpClient({
      ...this.calls,
      makeKey: async () => (isAnonymous ? undefined : this.keyOf(role)),
      key: () => (isAnonymous ? undefined : this.#keys.get(role)),
    });
  }

  async add(username: string, role: string): Promise<TestUser> {
    const { accounts, keys, roles } = this.access();
    if (!roles.has(role)) throw new Error(`There is no role "${role}".`);
    const { id } = await accounts.add({ username, role });
    const key = await keys.replace(id);
    return Object.assign(httpClient({ ...this.calls, makeKey: async () => key, key: () => key }), { id, username });
  }

  /** The key of the user of this role. */
  async keyOf(role: string): Promise<string> {
    const known = this.#keys.get(role);
    if (known !== undefined) return known;
    const { accounts, keys } = this.access();
    const account = (await accounts.findByName(role)) ?? (await accounts.add({ username: role, role }));
    const key = await keys.replace(account.id);
    this.#keys.set(role, key);
    return key;
  }
}
