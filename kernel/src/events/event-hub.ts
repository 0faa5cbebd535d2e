import { Conflict, LongboxError, releasable, type Access, type Releasable } from "@longbox/sdk";
import type { Grant } from "../access/identifying/grant.js";
import { permissionFor, requireDeclared, PermissionCatalog } from "../access/accounts/permissions.js";
import { Revocations } from "../access/identifying/revocations.js";
import type { Announcing } from "./announcing.js";
import { ChangeHistory, type StreamPlace } from "./change-history.js";
import { EventStream, type Change } from "./event-stream.js";
import type { KeptHistory } from "./kept-history.js";
import { PendingChanges } from "./pending-changes.js";
import { inject, injectable, injectOptional, token } from "../injection.js";

interface Declaration {
  readonly owner: string;
  readonly access: Access;
  readonly permission: string | undefined;
}

export interface EventTimes {
  /** Changes of one domain within this time are told once. */
  readonly joinMs: number;
  readonly heartbeatMs: number;
}

/** Where they differ from the usual ones. */
export const EventTimes = token<EventTimes>("times of the event stream");

const mostStreams = 10_000;
/** Enough for every tab and device of a person; a program that opens more loses its oldest. */
const mostStreamsOfOne = 64;
/**
 * A stream that gave way to a newer one of the same user comes back late, so that they do not displace each other in
 * turn.
 */
const displacedReturnMs = 60_000;

/** The domains of the kernel, with their permissions. */
export const kernelDomains = [
  { domain: "status", access: "library.view" },
  { domain: "settings", access: "settings.manage" },
  { domain: "plugins", access: "library.view" },
  { domain: "users", access: "users.manage" },
] as const;

/** The stream of change events: recipients, history and rate. */
@injectable()
export class EventHub implements Announcing {
  /** During an upgrade a domain is declared by both versions, and only those who may hear it of either hear it. */
  readonly #domains = new Map<string, readonly Declaration[]>();
  readonly #streams = new Set<EventStream>();
  readonly #pending = new PendingChanges();
  readonly #heartbeat: NodeJS.Timeout;
  readonly #watch: Releasable;
  #timer: NodeJS.Timeout | undefined;
  readonly #history = new ChangeHistory();
  #isStarting = false;
  #closed = false;

  constructor(
    @inject(PermissionCatalog) private readonly catalog: PermissionCatalog,
    @inject(Revocations) revocations: Revocations,
    @injectOptional(EventTimes) private readonly times: EventTimes = { joinMs: 75, heartbeatMs: 25_000 },
  ) {
    this.#heartbeat = setInterval(() => this.#beat(), times.heartbeatMs).unref();
    this.#watch = revocations.onRevoked((revocation) => this.#end((stream) => revocation.ends(stream.grant)));
  }

  get clients(): number {
    return this.#streams.size;
  }

  changed(domain: string, userIds?: readonly number[]): void {
    if (!this.#domains.has(domain))
      throw new LongboxError("internal", "kernel/undeclared-domain", `The event domain "${domain}" is not declared.`, {
        domain,
      });
    this.#pending.add(domain, userIds);
    if (!this.#closed) this.#timer ??= setTimeout(() => this.#announce(), this.times.joinMs);
  }

  declare(owner: string, domains: ReadonlyArray<{ readonly domain: string; readonly access: string }>): Releasable {
    for (const { domain, access } of domains) this.#check(owner, domain, access);
    const declarations = domains.map(({ domain, access }) => {
      const declaration = { owner, access, permission: permissionFor(access) };
      this.#domains.set(domain, [...(this.#domains.get(domain) ?? []), declaration]);
      return { domain, declaration };
    });
    this.#tellDeclared();
    return releasable(() => declarations.forEach(({ domain, declaration }) => this.#withdraw(domain, declaration)));
  }

  /**
   * Opens a stream for a viewer. A user who has too many loses the oldest.
   * @param lastEventId - Where a client that lost its connection was
   * @throws {LongboxError} `kernel/too-many-streams`
   */
  open(grant: Grant, lastEventId: string | undefined): EventStream {
    const own = [...this.#streams].filter((stream) => stream.grant.user.id === grant.user.id);
    for (const oldest of own.slice(0, Math.max(0, own.length - mostStreamsOfOne + 1))) this.#displace(oldest);
    if (this.#streams.size >= mostStreams)
      throw new LongboxError(
        "too-many-requests",
        "kernel/too-many-streams",
        "Too many event streams are open.",
        undefined,
        { retryAfterSeconds: 30 },
      );
    const stream = this.#stream(grant, lastEventId);
    this.#streams.add(stream);
    stream.once("close", () => this.#streams.delete(stream));
    return stream;
  }

  /** Goes on where an earlier run ended: clients of then hear only what they have missed. */
  resume(history: KeptHistory): void {
    this.#history.resume(history);
    this.#isStarting = true;
  }

  /** The plugins have been started: what is not declared now is not waited for. */
  started(): void {
    this.#isStarting = false;
    for (const stream of this.#streams) stream.dropKept();
  }

  /** The history of a hub that is closed, for the next run. What changed after its streams ended is part of it. */
  save(): KeptHistory {
    this.#addPending();
    return this.#history.save();
  }

  /** Ends every stream. Changes are still taken note of. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#timer);
    void this.#watch.release();
    this.#end(() => true);
  }

  #announce(): void {
    this.#timer = undefined;
    const changes = this.#addPending();
    for (const stream of this.#streams) stream.tell(this.#audible(stream.grant, changes));
  }

  #addPending(): Change[] {
    return this.#pending.take().map(([domain, userIds]) => this.#history.add(domain, userIds));
  }

  /** The changes among these that this viewer may receive. */
  #audible(grant: Grant, changes: readonly Change[]): readonly Change[] {
    return changes.filter(({ domain, userIds }) => {
      if (userIds?.has(grant.user.id) === false) return false;
      const declared = this.#domains.get(domain);
      return declared?.every(({ permission }) => permission === undefined || grant.may(permission)) === true;
    });
  }

  /** A stream that goes on where its client was, or says that everything should be fetched again. */
  #stream(grant: Grant, lastEventId: string | undefined): EventStream {
    const last = lastEventId === undefined ? undefined : readEventId(lastEventId);
    const since = last && this.#history.since(last);
    if (last === undefined || since === undefined) {
      const isReset = lastEventId !== undefined;
      return new EventStream(grant, { place: this.#history.place, heard: last?.heard ?? 0, isReset });
    }
    const place = `${last.history}-${last.position}`;
    const stream = new EventStream(grant, { place, heard: last.heard, isReset: false });
    // At the start of the server, clients come back before the plugins that have declared the domains.
    if (this.#isStarting) stream.keep(since.filter(({ domain }) => !this.#domains.has(domain)));
    stream.tell(this.#audible(grant, since));
    return stream;
  }

  /** Changes that clients missed in domains that no plugin had declared when they came back. */
  #tellDeclared(): void {
    for (const stream of this.#streams) {
      const declared = stream.takeDeclared((domain) => this.#domains.has(domain));
      const { place } = this.#history;
      if (declared.length === 0) continue;
      stream.tell(this.#audible(stream.grant, declared).map((change) => ({ ...change, place })));
    }
  }

  /** The place is free at once, however long the client takes to go. */
  #displace(stream: EventStream): void {
    this.#streams.delete(stream);
    stream.end(displacedReturnMs);
  }

  #check(owner: string, domain: string, access: Access): void {
    requireDeclared(this.catalog, access, `The event domain "${domain}" of "${owner}"`);
    const other = this.#domains.get(domain)?.find((present) => present.owner !== owner && present.access !== access);
    if (other === undefined) return;
    throw new Conflict(
      "kernel/domain-taken",
      `"${owner}" declares the event domain "${domain}" for ${access}, but "${other.owner}" for ${other.access}.`,
      { domain, owner: other.owner, plugin: owner },
    );
  }

  #withdraw(domain: string, declaration: Declaration): void {
    const left = this.#domains.get(domain)?.filter((present) => present !== declaration) ?? [];
    if (left.length === 0) this.#domains.delete(domain);
    else this.#domains.set(domain, left);
  }

  #beat(): void {
    const now = Date.now();
    for (const stream of this.#streams) stream.beat(now);
  }

  #end(which: (stream: EventStream) => boolean): void {
    for (const stream of this.#streams) if (which(stream)) stream.end();
  }
}

/** An id is `<history>-<position>-<number>`: where the client is in the history, and how many events it has heard. */
function readEventId(text: string): (StreamPlace & { readonly heard: number }) | undefined {
  const [, history, position, heard] = /^([0-9a-f]{8})-(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  if (history === undefined) return undefined;
  return { history, position: Number(position), heard: Number(heard) };
}
