import { createHash, randomInt } from "node:crypto";
import { textIn } from "@longbox/sdk";
import type { Say } from "@longbox/sdk/messages";
import type { ChannelMessage, ChannelOutcome } from "./contract.js";
import { WrongCode } from "./errors.js";
import type { Address, AddressRecords } from "./keeping/address-records.js";

const digits = 6;
const liveMs = 60 * 60_000;
/** Wrong codes after which a new one is needed: one in 200,000 guesses right. */
const mostTries = 5;

export interface VerifyingParts {
  readonly addresses: AddressRecords;
  readonly say: Say;
  /** The language of the user who entered the address. */
  readonly language: () => Promise<string | undefined>;
  readonly send: (address: Address, message: ChannelMessage) => Promise<ChannelOutcome>;
  /** The URL of a path of this server; undefined where its public address is not set. */
  readonly absolute: (path: string) => Promise<string | undefined>;
}

/** Proves that the user who entered an address reads what is sent there: by a code. */
export class Verifying {
  constructor(private readonly parts: VerifyingParts) {}

  /** Sends a new code. The one before is not taken any more. */
  async sendCode(address: Address): Promise<ChannelOutcome> {
    const code = String(randomInt(10 ** digits)).padStart(digits, "0");
    await this.parts.addresses.putCode(address.id, hashOf(address.id, code));
    const { say } = this.parts;
    const language = await this.parts.language();
    return await this.parts.send(address, {
      id: `code-${address.id}-${Date.now()}`,
      category: "system",
      level: "info",
      title: textIn(await say("code.title", { code }), language),
      body: textIn(await say("code.body"), language),
      language,
      url: await this.parts.absolute("/notifications/choices"),
      at: new Date().toISOString(),
    });
  }

  /** @throws {BadInput} `notifications/wrong-code` */
  async take(address: Address, code: string): Promise<void> {
    const limits = { since: Date.now() - liveMs, most: mostTries };
    if (address.verified || (await this.parts.addresses.takeCode(address.id, hashOf(address.id, code), limits))) return;
    throw new WrongCode();
  }
}

const hashOf = (id: number, code: string): string => createHash("sha256").update(`${id} ${code.trim()}`).digest("hex");
