import { Readable } from "node:stream";
import type { Contributions, KernelInspectionContract, Logger } from "@longbox/sdk";
import type { SupportPart } from "../contract.js";
import { zipStream } from "./zip-stream.js";
import { redact } from "./redacting.js";

export interface SupportPackageOptions {
  /** A full package has everything; a lite one only what says nothing of the library or its people. */
  readonly full: boolean;
  /** Documents that belong to this package alone, such as what a mobile app reports. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface SupportPackageParts {
  readonly own: readonly SupportPart[];
  readonly contributed: Contributions<SupportPart>;
  readonly kernel: Pick<KernelInspectionContract, "withoutSecrets">;
  readonly log: Logger;
}

/** Packs what is needed to understand a problem into a ZIP of JSON documents, without secrets. */
export class SupportPackage {
  constructor(private readonly parts: SupportPackageParts) {}

  /** Parts are read and packed one after the other, as the stream is read. */
  open(options: SupportPackageOptions): Readable {
    return Readable.from(zipStream(this.#documents(options)), { objectMode: false });
  }

  /** The package as a whole. @throws {RangeError} when it is larger than the limit */
  async collect(options: SupportPackageOptions, limitBytes: number): Promise<Uint8Array<ArrayBuffer>> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of this.open(options) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limitBytes) throw new RangeError(`The support package is larger than ${limitBytes} bytes.`);
      chunks.push(chunk);
    }
    return new Uint8Array(Buffer.concat(chunks));
  }

  async *#documents({ full, extra = {} }: SupportPackageOptions): AsyncGenerator<{ name: string; bytes: Uint8Array }> {
    try {
      for (const part of [...this.parts.own, ...this.parts.contributed.all()])
        if (full || !part.full) yield await this.#document(part.name, await this.#read(part));
      for (const [name, value] of Object.entries(extra)) yield await this.#document(name, value);
    } catch (fault) {
      this.parts.log.error("A support package could not be finished.", { fault });
      throw fault;
    }
  }

  async #read(part: SupportPart): Promise<unknown> {
    try {
      return await part.read();
    } catch (fault) {
      this.parts.log.warn("A part of the support package could not be read.", {
        part: part.name,
        fault: String(fault),
      });
      return { error: fault instanceof Error ? fault.message : String(fault) };
    }
  }

  /** Twice over: what is known to be a secret, wherever it stands, and what looks like one. */
  async #document(name: string, value: unknown): Promise<{ name: string; bytes: Uint8Array }> {
    const plain: unknown = JSON.parse(JSON.stringify(value) ?? "null");
    const safe = redact(await this.parts.kernel.withoutSecrets(plain));
    return { name: `${name}.json`, bytes: Buffer.from(JSON.stringify(safe, undefined, 2), "utf8") };
  }
}
