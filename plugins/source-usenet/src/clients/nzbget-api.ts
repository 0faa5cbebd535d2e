import { UpstreamFailure } from "@longbox/sdk";
import { z } from "zod";
import type { AskingClient } from "./asking-client.js";

const text = z.string().max(10_000).catch("");
const number = z.number().catch(0);

const envelope = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: number.optional(), message: text.optional() }).nullish(),
});

const group = z.object({
  NZBID: number,
  NZBName: text,
  Status: text,
  FileSizeLo: number,
  FileSizeHi: number,
  RemainingSizeLo: number,
  RemainingSizeHi: number,
  DupeKey: text.optional(),
});
const past = z.object({
  NZBID: number,
  Name: text,
  Status: text,
  FileSizeLo: number,
  FileSizeHi: number,
  DestDir: text,
  FinalDir: text.optional(),
  DupeKey: text.optional(),
});
export type Group = z.output<typeof group>;
export type Past = z.output<typeof past>;

const options = z.array(z.object({ Name: text, Value: text }));

interface Call {
  readonly method: string;
  readonly params?: readonly unknown[];
  readonly signal?: AbortSignal;
}

/** The part of NZBGet's JSON-RPC that is used here. Parameters have positions, and all of them are needed. */
export class NzbgetApi {
  constructor(private readonly asking: AskingClient) {}

  version(): Promise<string> {
    return this.call({ method: "version" }, z.string());
  }

  groups(): Promise<Group[]> {
    return this.call({ method: "listgroups", params: [0] }, z.array(group));
  }

  history(): Promise<Past[]> {
    return this.call({ method: "history", params: [false] }, z.array(past));
  }

  async bytesPerSecond(): Promise<number> {
    return (await this.call({ method: "status" }, z.object({ DownloadRate: number }))).DownloadRate;
  }

  /** The program's options, by name. */
  async options(): Promise<ReadonlyMap<string, string>> {
    return new Map((await this.call({ method: "config" }, options)).map(({ Name, Value }) => [Name, Value]));
  }

  async edit(command: string, id: number): Promise<void> {
    await this.call({ method: "editqueue", params: [command, "", [id]] }, z.boolean());
  }

  async call<S extends z.ZodType>({ method, params = [], signal }: Call, schema: S): Promise<z.output<S>> {
    const { username, password } = this.asking.entry;
    const headers = {
      "content-type": "application/json",
      // NZBGet ends connections without a word; a request on one that it has ended would fail.
      connection: "close",
      ...(username !== "" && {
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
      }),
    };
    const body = JSON.stringify({ method, params, id: 1 });
    const { result, error } = await this.asking.post({ path: "/jsonrpc", headers, body, signal }, envelope);
    if (error?.code === 401)
      throw new UpstreamFailure(
        "source-usenet/client-refuses",
        "This user of NZBGet may not do this: use the one for full control (ControlUsername).",
      );
    const read = schema.safeParse(result);
    if (!error && read.success) return read.data;
    const why = error ? (error.message ?? "") : "The answer cannot be read.";
    throw new UpstreamFailure("source-usenet/client-failed", `NZBGet did not do it: ${method}. ${why}`.trim());
  }
}
