import { mkdtemp, rm } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UnreadFailures } from "@longbox/kernel/testing";
import type { AuthProvider, CredentialProvider, Logger, Route, StatusPart } from "@longbox/sdk";
import {
  AccessLog,
  AccountsChanged,
  OfferedAuthProviders,
  OfferedCredentialProviders,
} from "../../dist/access/access-tokens.js";
import { accessClasses, openAccess } from "../../dist/access/access.js";
import { accessMigrations, languageMigration } from "../../dist/access/migrations.js";
import { PermissionCatalog } from "../../dist/access/accounts/permissions.js";
import { ServerSettingsSource, serverSettings, type ServerSettings } from "../../dist/access/server-settings.js";
import { AccessDatabase, type AccessTables } from "../../dist/access/tables.js";
import { ThrottleLimits } from "../../dist/access/credentials/throttle-limits.js";
import { EventHub, EventTimes, kernelDomains } from "../../dist/events/event-hub.js";
import { HttpDoor, httpClasses } from "../../dist/http/receiving/http-door.js";
import { AbsentPaths, Presence, RequestObserver } from "../../dist/http/routing/dispatcher.js";
import { Parts } from "../../dist/injection.js";
import { BasePath, DataFolder, SetupToken, Stopping, TrustedProxies } from "../../dist/kernel-tokens.js";
import { RefusedInputs } from "../../dist/plugins/containment/blockings.js";
import { OutsideJson } from "../../dist/parsing/outside-json.js";
import { kernelRoutes } from "../../dist/http/kernel-routes/kernel-routes.js";
import type { RouteOwner } from "../../dist/http/routing/mounting.js";
import { UseOfOwners } from "../../dist/measuring/use-of-owners.js";
import { MemoryStoring, SqliteStoring } from "../../dist/storage/index.js";

export interface Line {
  readonly level: string;
  readonly message: string;
  readonly fields: Record<string, unknown>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly cookie: string | undefined;
  readonly bytes: Buffer;
  readonly text: string;
  readonly body: any;
}

export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  raw?: string | Uint8Array;
}

/** Asks by node:http, which sends the path exactly as it is written. */
export function ask(
  base: string,
  path: string,
  { method = "GET", headers = {}, body, raw }: Asked = {},
): Promise<Answer> {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const typed = body === undefined ? {} : { "content-type": "application/json" };
    const length = sent === undefined ? {} : { "content-length": String(Buffer.byteLength(sent)) };
    const request = httpRequest(
      { hostname, port, path, method, agent: false, headers: { ...typed, ...length, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const bytes = Buffer.concat(chunks);
          const plain = Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
          );
          resolve({
            status: response.statusCode ?? 0,
            headers: plain,
            cookie:
              response.headers["set-cookie"]?.find((cookie) => cookie.startsWith("longbox_session=")) ??
              response.headers["set-cookie"]?.at(-1),
            bytes,
            text: bytes.toString(),
            body: parse(bytes.toString()),
          });
        });
      },
    );
    request.on("error", reject);
    request.end(sent);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface DoorOptions {
  trustProxy?: string;
  basePath?: string | undefined;
  settings?: Partial<ServerSettings>;
  setupToken?: string;
  limits?: Partial<ThrottleLimits>;
  authProviders?: AuthProvider[];
  credentialProviders?: CredentialProvider[];
  statusParts?: StatusPart[];
  events?: EventTimes;
  /** Default `memory`; LONGBOX_TEST_STORAGE=sqlite makes all tests use files. */
  storage?: "memory" | "sqlite";
  /** Changes of accounts are announced, as the whole kernel does. */
  announcesAccounts?: boolean;
}

const offered = <T>(contributions: T[] = []) => ({
  entries: () => contributions.map((contribution) => ({ plugin: "tester", contribution })),
});

/** The kernel's door on a loopback port, with its real accounts and an in-memory database, and without plugins. */
export async function openDoor(options: DoorOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), "longbox-door-"));
  const lines: Line[] = [];
  const write =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) =>
      void lines.push({ level, message, fields });
  const log: Logger = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
  const storing = new (
    options.storage === "sqlite" || process.env["LONGBOX_TEST_STORAGE"] === "sqlite" ? SqliteStoring : MemoryStoring
  )({ folder, log });
  const storage = await storing.open("kernel");
  await storage.migrate([...accessMigrations, languageMigration]);
  const database = storage.database<AccessTables>();
  const settings = { current: { ...serverSettings.parse({}), ...options.settings } };
  const faults: unknown[] = [];
  const failed: unknown[] = [];
  const abort = new AbortController();
  const parts = new Parts()
    .classes(...accessClasses, ...httpClasses, EventHub, OutsideJson)
    .value(Stopping, abort.signal)
    .value(AccessDatabase, database)
    .value(DataFolder, folder)
    .value(ServerSettingsSource, settings)
    .value(OfferedAuthProviders, offered(options.authProviders))
    .value(OfferedCredentialProviders, offered(options.credentialProviders))
    .value(AccessLog, log)
    .value(ThrottleLimits, {
      perPair: 10,
      perAddress: 1000,
      perName: 1000,
      seconds: 60,
      registrations: 1000,
      ...options.limits,
    })
    .value(SetupToken, options.setupToken)
    .value(TrustedProxies, options.trustProxy)
    .value(BasePath, options.basePath)
    .value(EventTimes, options.events ?? { joinMs: 5, heartbeatMs: 25_000 })
    .value(AccountsChanged, () => void (options.announcesAccounts && hub.changed("users")))
    .value(AbsentPaths, { failure: () => undefined })
    .value(Presence, { starting: false })
    .value(RefusedInputs, { refusal: () => undefined })
    .value(RequestObserver, {
      answered() {},
      failed: (_request, thrown) => void failed.push(thrown),
    });
  const access = await openAccess(parts);
  const catalog = parts.get(PermissionCatalog);
  const hub = parts.get(EventHub);
  hub.declare("kernel", kernelDomains);
  const door = parts.get(HttpDoor);
  const ownerOf = (id: string): RouteOwner => ({
    id,
    signal: abort.signal,
    run: (work) => work(),
    reportFault: (fault) => void faults.push(fault),
  });
  door.routes.mount(
    ownerOf("kernel"),
    kernelRoutes(access, {
      version: "1.2.3",
      routes: door.routes,
      events: hub,
      statusParts: offered(options.statusParts),
      use: new UseOfOwners(),
      plugins: () => [],
      memoryOf: () => undefined,
      retiredModules: () => 0,
      starting: () => false,
      log,
    }),
  );
  const url = await door.listen({ host: "127.0.0.1", port: 0 });
  const failures = new UnreadFailures();

  return {
    url,
    folder,
    database,
    access,
    hub,
    door,
    catalog,
    settings,
    lines,
    faults,
    failed,
    abort,
    ownerOf,
    mount: (routes: Route[], id = "tester") => door.routes.mount(ownerOf(id), routes),
    /** An answer that failed must be looked at: disposing the door throws when a test read nothing of it. */
    async ask(path: string, asked?: Asked): Promise<Answer> {
      const from = new Error();
      return failures.watch(await ask(url, path, asked), { request: `${asked?.method ?? "GET"} ${path}`, from });
    },
    /** Makes the first account, `admin` with the password `longbox123`, and a key for it. */
    async setUp(): Promise<string> {
      await ask(url, "/api/auth/register", { method: "POST", body: { username: "admin", password: "longbox123" } });
      const account = await access.accounts.findByName("admin");
      return access.keys.replace(account!.id);
    },
    /** Makes an account with this role, and a key for it. */
    async member(username: string, role = "viewer"): Promise<{ id: number; key: string }> {
      const account = await access.accounts.add({
        username,
        role,
        passwordHash: await access.passwords.hash("longbox123"),
      });
      return { id: account.id, key: await access.keys.replace(account.id) };
    },
    /** Signs in as a browser does. @returns what the browser sends from then on */
    async browser(username: string, password = "longbox123"): Promise<Record<string, string>> {
      const answer = await ask(url, "/api/auth/login", { method: "POST", body: { username, password } });
      return { cookie: answer.cookie!.split(";")[0]!, origin: url };
    },
    async [Symbol.asyncDispose]() {
      abort.abort();
      hub.close();
      await door.close(1000);
      await access.authentication.settle();
      await storing.release();
      await rm(folder, { recursive: true, force: true });
      failures.check();
    },
  };
}

export type OpenDoor = Awaited<ReturnType<typeof openDoor>>;
