import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { LongboxError } from "@longbox/sdk";
import { injectable } from "../../injection.js";

/** RFC 9106's argon2id with the memory that OWASP recommends for a server: 19 MiB, two passes. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
type Cost = { readonly [Part in keyof typeof cost]: number };
const argon2Async = promisify(argon2);
/** More at once would take the threads that file reading needs. */
const atOnce = 2;
const mostWaiting = 64;

/** Hashes and checks passwords, off the event loop and only a few at a time. */
@injectable()
export class Passwords {
  readonly #waiting: Array<() => void> = [];
  /** The hash for unknown names, so that checking them takes the same time. */
  readonly #decoy: string;
  #running = 0;

  constructor() {
    this.#decoy = encode(randomBytes(16), randomBytes(cost.tagLength));
  }

  async hash(password: string): Promise<string> {
    const salt = randomBytes(16);
    return encode(salt, await this.#derive(password, salt, cost));
  }

  /** @param stored - Undefined for an unknown name: the answer is no, after the same work */
  async matches(password: string, stored: string | undefined): Promise<boolean> {
    const { salt, tag, cost: given } = decode(stored ?? this.#decoy);
    const derived = await this.#derive(password, salt, given);
    return timingSafeEqual(derived, tag) && stored !== undefined;
  }

  async #derive(password: string, salt: Buffer, given: Cost): Promise<Buffer> {
    await this.#turn();
    try {
      return await argon2Async("argon2id", { ...given, message: password.normalize("NFKC"), nonce: salt });
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    if (this.#running >= atOnce) {
      if (this.#waiting.length >= mostWaiting)
        throw new LongboxError(
          "too-many-requests",
          "kernel/too-many-attempts",
          "Too many sign-ins at once; try again soon.",
          undefined,
          { retryAfterSeconds: 2 },
        );
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#running += 1;
  }
}

/** The PHC string format, so that the cost can be raised later without losing old passwords. */
function encode(salt: Buffer, tag: Buffer): string {
  const plain = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${plain(salt)}$${plain(tag)}`;
}

function decode(stored: string): { salt: Buffer; tag: Buffer; cost: Cost } {
  const [, , , parameters = "", salt = "", tag = ""] = stored.split("$");
  const [memory = cost.memory, passes = cost.passes, parallelism = cost.parallelism] = parameters
    .split(",")
    .map((parameter) => Number(parameter.slice(2)));
  const bytes = Buffer.from(tag, "base64");
  return {
    salt: Buffer.from(salt, "base64"),
    tag: bytes,
    cost: { memory, passes, parallelism, tagLength: bytes.length },
  };
}
