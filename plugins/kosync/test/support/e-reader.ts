import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";

/** Sends requests exactly as KOReader does: its headers, its fields, and the MD5 of the password as the key. */
export class EReader {
  constructor(
    private readonly server: string,
    private readonly account: { readonly username: string; readonly password: string },
    readonly device = { device: "Kobo_nova", device_id: "A1B2C3D4E5F60718" },
  ) {}

  /** A body that is a text is sent as it is. */
  async call(
    method: string,
    path: string,
    { body, headers }: { body?: unknown; headers?: Record<string, string> } = {},
  ) {
    const answer = await fetch(`${this.server}/kosync${path}`, {
      method,
      headers: {
        accept: "application/vnd.koreader.v1+json",
        "x-auth-user": this.account.username,
        "x-auth-key": hash("md5", this.account.password),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: (text === "" ? undefined : JSON.parse(text)) as any,
    };
  }

  auth = () => this.call("GET", "/users/auth");
  pull = (document: string) => this.call("GET", `/syncs/progress/${document}`);
  /** @param at - the position, as KOReader names it, and what else the body holds */
  push = (document: string, at: { progress: string | number; percentage: number; [field: string]: unknown }) =>
    this.call("PUT", "/syncs/progress", { body: { document, ...at, ...this.device } });
}

/** KOReader's id of a file: the MD5 of a kilobyte at 0 and at each power of four kilobytes. */
export async function partialMd5(path: string): Promise<string> {
  const bytes = await readFile(path);
  const starts = [0, ...Array.from({ length: 11 }, (_, index) => 1024 * 4 ** index)];
  const samples = starts.filter((start) => start < bytes.length).map((start) => bytes.subarray(start, start + 1024));
  return hash("md5", Buffer.concat(samples));
}
