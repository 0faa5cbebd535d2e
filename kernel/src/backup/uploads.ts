// A backup that a client sends in pieces: of any size, through proxies that limit a body, and never as a whole in
// memory.
import { createReadStream } from "node:fs";
import { mkdir, open, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Conflict, defineRoute, reply, type Route } from "@longbox/sdk";
import { z } from "zod";
import { TemporaryPlaces, translateStorageFault } from "../storage/index.js";
import { backupSchema } from "./backup-schema.js";
import { inject, injectable } from "../injection.js";
import { DataFolder } from "../kernel-tokens.js";
import { BackupExchange } from "./exchange.js";

/** The longest piece, in bytes. */
const pieceBytes = 4_194_304;

/** The one upload of a server. It is lost when the server stops. */
@injectable()
export class BackupUpload {
  readonly #path: string;
  readonly #exchange: BackupExchange;
  #last: Promise<unknown> = Promise.resolve();

  constructor(@inject(DataFolder) folder: string, @inject(BackupExchange) exchange: BackupExchange) {
    this.#path = join(new TemporaryPlaces(folder).folder, "uploaded-backup");
    this.#exchange = exchange;
  }

  /**
   * Takes a piece. At 0 a new upload begins.
   * @returns how many bytes are there
   * @throws {Conflict} `kernel/upload-elsewhere` when the piece does not continue what is there
   */
  add(piece: Uint8Array, offset: number): Promise<number> {
    return this.#inTurn(async () => {
      const there = offset === 0 ? 0 : await this.#size();
      if (there !== offset)
        throw new Conflict("kernel/upload-elsewhere", `The upload has ${there} bytes: go on from there.`, { there });
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      const file = await open(this.#path, offset === 0 ? "w" : "a", 0o600);
      try {
        await file.writeFile(piece);
      } finally {
        await file.close();
      }
      return offset + piece.byteLength;
    });
  }

  /** Checks what was sent and puts it among the kept backups. A wrong passphrase can be corrected: the upload stays. */
  finish(passphrase: string | undefined) {
    return this.#inTurn(async () => {
      if ((await this.#size()) === 0) throw new Conflict("kernel/no-upload", "No backup was uploaded.");
      const backup = await this.#exchange.take(createReadStream(this.#path), { passphrase });
      await rm(this.#path, { force: true });
      return backup;
    });
  }

  async #size(): Promise<number> {
    return stat(this.#path).then(
      ({ size }) => size,
      () => 0,
    );
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work).catch((fault: unknown) => {
      throw translateStorageFault(fault, this.#path);
    });
    this.#last = done.catch(() => undefined);
    return done;
  }
}

/** Uploading a backup, such as to a new server, which takes the place of the old one once the backup is restored. */
export function uploadRoutes(upload: BackupUpload): Route[] {
  return [
    defineRoute({
      method: "PUT",
      path: "/api/backup-upload",
      access: "plugins.manage",
      summary: "Send a piece of a backup",
      description: `Pieces of up to ${pieceBytes} bytes, one after the other; \`offset\` is where a piece begins, and 0 begins a new upload.`,
      query: z.object({ offset: z.coerce.number().int().nonnegative() }),
      body: z.instanceof(Uint8Array),
      bodyFormat: "bytes",
      bodyLimitBytes: pieceBytes,
      response: z.object({ receivedBytes: z.number().int() }),
      handle: async ({ query, body }) => ({ receivedBytes: await upload.add(body, query.offset) }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/backup-upload",
      access: "plugins.manage",
      summary: "Check the uploaded backup and keep it",
      description:
        "The backup is restored for a trial; then it is one of the kept backups, and can be restored. An encrypted one needs its passphrase.",
      body: z.object({ passphrase: z.string().max(1000).optional() }),
      response: backupSchema,
      handle: async ({ body }) => reply.created(await upload.finish(body.passphrase)),
    }),
  ];
}
