import {
  joinSignals,
  type Contributions,
  type KernelUsers,
  type Logger,
  type Releasable,
  type Viewer,
} from "@longbox/sdk";
import type { ChannelMessage, ChannelOutcome, Category, Level, NotificationChannel } from "../contract.js";
import type { Address, AddressRecords } from "../keeping/address-records.js";
import type { DeliveryRecord, DeliveryRecords } from "../keeping/delivery-records.js";
import type { NoticeRecord, NoticeRecords } from "../keeping/notice-records.js";
import { readTexts } from "../keeping/notice-texts.js";

export interface DeliveringParts {
  readonly channels: Contributions<NotificationChannel>;
  readonly addresses: AddressRecords;
  readonly deliveries: DeliveryRecords;
  readonly notices: NoticeRecords;
  readonly users: KernelUsers;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** The public URL of a path of this server; undefined when it is unknown. */
  readonly absolute: (path: string) => Promise<string | undefined>;
  /** An address was switched off, with the reason. */
  readonly switchedOff: (address: Address, reason: string) => Promise<void>;
  /** The delays after failed attempts, in milliseconds; after the last one the message is dropped. */
  readonly backoffMs: () => readonly number[];
}

const atOnce = 4;
const limitMs = 30_000;
const keptAnswers = 5;
/** The number of consecutively dropped messages after which an address is disabled. */
const mostFailures = 3;
const longestWaitMs = 60 * 60_000;

/**
 * Sends pending messages, repeats failed ones, and disables addresses that keep failing. Pending messages survive a
 * restart. They are not jobs: each takes a moment, and users see what became of it at the address.
 */
export class Delivering implements Releasable {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #again = false;

  constructor(private readonly parts: DeliveringParts) {}

  /** A message was added, or an address works again. */
  wake(): void {
    if (this.parts.signal.aborted) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = this.#run()
      .catch((fault: unknown) => {
        if (!this.parts.signal.aborted)
          this.parts.log.error("Notifications could not be sent.", { fault: String(fault) });
      })
      .finally(() => {
        this.#running = undefined;
        if (this.#again) this.wake();
      });
  }

  async release(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Sends one message at once, outside of the queue. */
  async send(address: Address, message: ChannelMessage, viewer: Viewer): Promise<ChannelOutcome> {
    const outcome = await this.#ask(address, message, viewer);
    await this.#remember(address, outcome);
    return outcome;
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    do {
      this.#again = false;
      for (;;) {
        const due = await this.parts.deliveries.due(Date.now(), atOnce);
        if (due.length === 0 || this.parts.signal.aborted) break;
        await Promise.all(due.map((delivery) => this.#deliver(delivery)));
      }
    } while (this.#again && !this.parts.signal.aborted);
    const next = await this.parts.deliveries.nextAt();
    if (next === undefined || this.parts.signal.aborted) return;
    const wait = Math.min(longestWaitMs, Math.max(0, next - Date.now()));
    this.#timer = setTimeout(() => this.wake(), wait).unref();
  }

  async #deliver(delivery: DeliveryRecord): Promise<void> {
    const { addresses, deliveries, notices, users } = this.parts;
    const address = await addresses.find(delivery.address_id);
    const notice = await notices.find(delivery.notice_id);
    const viewer = address && (await users.viewerOf(address.userId));
    // Rights may have been lost since the message was written.
    const isWanted = viewer?.may("library.view") && notice && (notice.restricted === 0 || viewer.seesRestricted);
    if (!address?.enabled || !address.verified || !viewer || !isWanted) return deliveries.remove(delivery.id);
    const outcome = await this.#ask(address, await this.#messageOf(notice, viewer), viewer);
    if (this.parts.signal.aborted) return;
    await this.#remember(address, outcome);
    if (outcome.sent) await deliveries.remove(delivery.id);
    else await this.#failed(delivery, address, outcome);
  }

  async #failed(
    delivery: DeliveryRecord,
    address: Address,
    { again, reason, retryAfterSeconds }: Extract<ChannelOutcome, { sent: false }>,
  ): Promise<void> {
    const wait = this.parts.backoffMs()[delivery.attempts];
    if (again === "later" && wait !== undefined) {
      const asked = Math.min(longestWaitMs, (retryAfterSeconds ?? 0) * 1000);
      return this.parts.deliveries.postpone(delivery.id, Date.now() + Math.max(wait, asked), delivery.attempts + 1);
    }
    await this.parts.deliveries.remove(delivery.id);
    const failures = address.failures + 1;
    const isOff = again === "gone" || failures >= mostFailures;
    await this.parts.addresses.change(address.id, { failures, ...(isOff && { enabled: false, trouble: reason }) });
    if (isOff) await this.parts.switchedOff(address, reason);
  }

  async #remember(address: Address, outcome: ChannelOutcome): Promise<void> {
    const text = (outcome.sent ? outcome.answer : outcome.reason).slice(0, 300).toWellFormed();
    const known = await this.parts.addresses.find(address.id);
    if (!known) return;
    const answers = [{ at: Date.now(), ok: outcome.sent, text }, ...known.answers].slice(0, keptAnswers);
    await this.parts.addresses.change(address.id, { answers, ...(outcome.sent && { failures: 0, trouble: null }) });
  }

  async #ask({ channel: id, fields }: Address, message: ChannelMessage, viewer: Viewer): Promise<ChannelOutcome> {
    const channel = this.parts.channels.all().find((candidate) => candidate.id === id);
    if (!channel) return { sent: false, again: "later", reason: `The channel "${id}" is not available.` };
    const joined = joinSignals(this.parts.signal, AbortSignal.timeout(limitMs));
    try {
      const reason = await channel.unavailable?.();
      if (reason !== undefined) return { sent: false, again: "later", reason };
      return await channel.send({ message, fields, trusted: viewer.may("settings.manage"), signal: joined.signal });
    } catch (fault) {
      return { sent: false, again: "later", reason: fault instanceof Error ? fault.message : String(fault) };
    } finally {
      joined.release();
    }
  }

  async #messageOf(notice: NoticeRecord, { user }: Viewer): Promise<ChannelMessage> {
    const language = (await this.parts.users.find(user.id))?.language;
    return {
      id: `notice-${notice.id}`,
      category: notice.category as Category,
      level: notice.level as Level,
      ...readTexts(notice, language),
      language,
      url: notice.url === null ? undefined : await this.parts.absolute(notice.url),
      at: new Date(notice.at).toISOString(),
    };
  }
}
