import type { Contributions, KernelUsers, Viewer } from "@longbox/sdk";
import type { Say } from "@longbox/sdk/messages";
import { trialMessage } from "./channels/web-channels.js";
import type { ChannelOutcome, NotificationChannel } from "./contract.js";
import type { Delivering } from "./delivering/delivering.js";
import {
  AddressNotFound,
  BadAddress,
  ChannelUnavailable,
  NotVerified,
  TooManyAddresses,
  TooManyTrials,
  UnknownChannel,
} from "./errors.js";
import type { Address, AddressRecords } from "./keeping/address-records.js";
import { Verifying } from "./verifying.js";

const mask = "********";
const mostAddresses = 20;
const trialsAMinute = 5;

export interface AddressingParts {
  readonly channels: Contributions<NotificationChannel>;
  readonly addresses: AddressRecords;
  readonly delivering: Delivering;
  readonly users: Pick<KernelUsers, "find">;
  readonly say: Say;
  /** The URL of a path of this server; undefined where its public address is not set. */
  readonly absolute: (path: string) => Promise<string | undefined>;
}

/** The addresses of users. Users manage only their own addresses and do not see those of others. */
export class Addressing {
  readonly #trials = new Map<number, number[]>();

  constructor(private readonly parts: AddressingParts) {}

  async list({ user }: Viewer): Promise<Address[]> {
    const all = await this.parts.addresses.list(user.id);
    return all.map((address) => this.#masked(address));
  }

  /** @throws {BadInput} `notifications/unknown-channel`, `notifications/bad-address` */
  async add(given: Pick<Address, "channel" | "name" | "fields">, viewer: Viewer): Promise<Address> {
    const { user } = viewer;
    const fields = await this.#checked(this.#channel(given.channel), given.fields);
    const present = await this.parts.addresses.list(user.id);
    // A browser that subscribes again has the same endpoint, and is reached there once.
    const same = present.find(({ channel, fields: known }) => channel === given.channel && isSame(known, fields));
    if (same) {
      await this.parts.addresses.change(same.id, { name: given.name, enabled: true, trouble: null, failures: 0 });
      return this.#read(same.id);
    }
    if (present.length >= mostAddresses) throw new TooManyAddresses(mostAddresses);
    const verified = this.#channel(given.channel).verified !== true;
    if (!verified) this.#countTrial(user.id);
    const id = await this.parts.addresses.add({ userId: user.id, ...given, fields, verified });
    if (!verified) await this.#sendFirstCode(id, viewer);
    return this.#read(id);
  }

  /** @throws {NotFound} `notifications/address-not-found` */
  async change(
    id: number,
    change: { name?: string | undefined; fields?: Record<string, string> | undefined; enabled?: boolean | undefined },
    viewer: Viewer,
  ): Promise<Address> {
    const { channel, fields: known } = await this.#own(id, viewer);
    const fields = change.fields && {
      ...known,
      ...Object.fromEntries(Object.entries(change.fields).filter(([, value]) => value !== mask)),
    };
    const checked = fields && (await this.#checked(this.#channel(channel), fields));
    const isOther = checked && this.#channel(channel).verified === true && !isSame(checked, known);
    if (isOther) this.#countTrial(viewer.user.id);
    await this.parts.addresses.change(id, {
      name: change.name,
      fields: checked,
      enabled: change.enabled,
      ...(isOther && { verified: false }),
      ...(change.enabled === true && { trouble: null, failures: 0 }),
    });
    if (isOther) await this.#sendFirstCode(id, viewer);
    this.parts.delivering.wake();
    return this.#read(id);
  }

  async remove(id: number, viewer: Viewer): Promise<void> {
    await this.#own(id, viewer);
    await this.parts.addresses.remove(id);
  }

  /** Sends a new code to an address that is not verified. @returns the result */
  async sendCode(id: number, viewer: Viewer): Promise<{ ok: boolean; message: string }> {
    const address = await this.#own(id, viewer);
    this.#countTrial(viewer.user.id);
    return shownOutcome(await this.#verifying(viewer).sendCode(address));
  }

  /** @throws {BadInput} `notifications/wrong-code` */
  async verify(id: number, code: string, viewer: Viewer): Promise<Address> {
    await this.#verifying(viewer).take(await this.#own(id, viewer), code);
    return this.#read(id);
  }

  /** What goes wrong stands in the address's answers: the user sends another code then. */
  async #sendFirstCode(id: number, viewer: Viewer): Promise<void> {
    await this.#verifying(viewer).sendCode(await this.#own(id, viewer));
  }

  #verifying(viewer: Viewer): Verifying {
    const { addresses, delivering, absolute, say } = this.parts;
    return new Verifying({
      addresses,
      absolute,
      say,
      language: () => this.#languageOf(viewer),
      send: (address, message) => delivering.send(address, message, viewer),
    });
  }

  /** Sends a test message to the address. @returns the result */
  async attempt(id: number, viewer: Viewer): Promise<{ ok: boolean; message: string }> {
    const address = await this.#own(id, viewer);
    if (!address.verified) throw new NotVerified();
    this.#countTrial(viewer.user.id);
    const reason = await this.#channel(address.channel).unavailable?.();
    if (reason !== undefined) throw new ChannelUnavailable(reason);
    const message = await trialMessage(this.parts.say, await this.#languageOf(viewer));
    const outcome = await this.parts.delivering.send(address, message, viewer);
    return shownOutcome(outcome);
  }

  async #languageOf({ user }: Viewer): Promise<string | undefined> {
    return (await this.parts.users.find(user.id))?.language;
  }

  async #own(id: number, { user }: Viewer): Promise<Address> {
    const address = await this.parts.addresses.find(id);
    if (address?.userId !== user.id) throw new AddressNotFound(id);
    return address;
  }

  async #read(id: number): Promise<Address> {
    const address = await this.parts.addresses.find(id);
    if (!address) throw new AddressNotFound(id);
    return this.#masked(address);
  }

  #channel(id: string): NotificationChannel {
    const channel = this.parts.channels.all().find((candidate) => candidate.id === id);
    if (!channel) throw new UnknownChannel(id);
    return channel;
  }

  async #checked(channel: NotificationChannel, fields: Readonly<Record<string, string>>) {
    const problems: Record<string, string> = {};
    const kept: Record<string, string> = {};
    for (const { name, kind, required } of channel.fields) {
      const value = (fields[name] ?? "").trim();
      kept[name] = value;
      if (required && (value === "" || value === mask)) problems[name] = "is needed";
      else if (kind === "url" && value !== "" && !isWebAddress(value))
        problems[name] = "must be an http or https address";
    }
    for (const name of Object.keys(fields)) if (!(name in kept)) problems[name] = "is unknown";
    const all = Object.keys(problems).length > 0 ? problems : await channel.check?.(kept);
    if (all && Object.keys(all).length > 0) throw new BadAddress(all);
    return kept;
  }

  #masked(address: Address): Address {
    const channel = this.parts.channels.all().find(({ id }) => id === address.channel);
    const open = new Set(channel?.fields.filter(({ secret }) => secret !== true).map(({ name }) => name));
    const fields = Object.entries(address.fields).map(([name, value]) => [
      name,
      open.has(name) || value === "" ? value : mask,
    ]);
    return { ...address, fields: Object.fromEntries(fields) };
  }

  #countTrial(userId: number): void {
    const since = Date.now() - 60_000;
    const recent = (this.#trials.get(userId) ?? []).filter((at) => at > since);
    if (recent.length >= trialsAMinute) throw new TooManyTrials();
    this.#trials.set(userId, [...recent, Date.now()]);
  }
}

function shownOutcome(outcome: ChannelOutcome): { ok: boolean; message: string } {
  return outcome.sent ? { ok: true, message: outcome.answer } : { ok: false, message: outcome.reason };
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

function isSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => (one[name] ?? "") === (other[name] ?? ""));
}
