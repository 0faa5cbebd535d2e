import type { CurrentSession, CurrentUser } from "@longbox/kernel/api";
import type { Api } from "./api.js";
import { Observable } from "./observable.js";

/** `unknown` until the server has been asked; `unreachable` when it did not answer. */
export type SessionState =
  | { readonly kind: "unknown" }
  | { readonly kind: "unreachable"; readonly message: string }
  /** No account exists. Unless the browser is local, creating the first one requires the server's setup token. */
  | { readonly kind: "first-run"; readonly needsToken: boolean }
  | { readonly kind: "signed-out"; readonly registration: boolean }
  | { readonly kind: "signed-in"; readonly user: CurrentUser; readonly registration: boolean };

export interface Credentials {
  username: string;
  password: string;
}

const signedInKey = "longbox.signed-in";

const anonymous: CurrentUser = Object.freeze({ id: -1, username: "", role: "", permissions: [] });

/** The current user of the UI and the user's permissions. */
export class Session {
  readonly state = new Observable<SessionState>({ kind: "unknown" });
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  get user(): CurrentUser {
    return this.state.value.kind === "signed-in" ? this.state.value.user : anonymous;
  }

  may(permission: string): boolean {
    const { permissions } = this.user;
    return permissions.includes("*") || permissions.includes(permission);
  }

  /** Whether this browser was signed in when it was last here: then it most likely still is. */
  get wasSignedIn(): boolean {
    try {
      return localStorage.getItem(signedInKey) !== null;
    } catch {
      return false;
    }
  }

  async refresh(): Promise<void> {
    try {
      this.state.set(stateOf(await this.#api.call<CurrentSession>("/api/auth/me")));
      remember(this.state.value);
    } catch (thrown) {
      this.state.set({ kind: "unreachable", message: thrown instanceof Error ? thrown.message : String(thrown) });
    }
  }

  async signIn(credentials: Credentials): Promise<void> {
    await this.#api.call("/api/auth/login", { method: "POST", body: credentials });
    await this.refresh();
  }

  async register(credentials: Credentials, setupToken?: string): Promise<void> {
    const headers = setupToken ? { "X-Setup-Token": setupToken } : {};
    await this.#api.call("/api/auth/register", { method: "POST", body: credentials, headers });
    await this.refresh();
    if (this.state.value.kind !== "signed-in") await this.signIn(credentials);
  }

  async signOut(): Promise<void> {
    await this.#api.call("/api/auth/logout", { method: "POST" });
    await this.refresh();
  }
}

function remember({ kind }: SessionState): void {
  try {
    if (kind === "signed-in") localStorage.setItem(signedInKey, "");
    else localStorage.removeItem(signedInKey);
  } catch {
    // Storage is switched off: the next start asks one thing after the other.
  }
}

function stateOf(current: CurrentSession): SessionState {
  if (current.openMode) return { kind: "first-run", needsToken: !current.user };
  if (current.user) return { kind: "signed-in", user: current.user, registration: current.registration };
  return { kind: "signed-out", registration: current.registration };
}
