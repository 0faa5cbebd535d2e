import { BadInput, UpstreamFailure } from "@longbox/sdk";
import { z } from "zod";
import type { AskingClient } from "./asking-client.js";

const text = z.string().max(10_000).catch("");
const number = z.coerce.number().catch(0);
const failed = z.object({ status: z.literal(false), error: text.optional() });

const queueSlot = z.object({
  nzo_id: text,
  filename: text,
  status: text,
  mb: number.optional(),
  mbleft: number.optional(),
  timeleft: text.optional(),
  labels: z.array(text).optional(),
});
const historySlot = z.object({
  nzo_id: text,
  name: text,
  nzb_name: text.optional(),
  status: text,
  fail_message: text.optional(),
  storage: text.optional(),
  bytes: number.optional(),
});
export type QueueSlot = z.output<typeof queueSlot>;
export type HistorySlot = z.output<typeof historySlot>;

const queue = z.object({ queue: z.object({ kbpersec: number.optional(), slots: z.array(queueSlot) }) });
const history = z.object({ history: z.object({ slots: z.array(historySlot) }) });
const added = z.object({ status: z.boolean(), nzo_ids: z.array(text).default([]), error: text.optional() });

interface Nzb {
  /** The name of the download in SABnzbd. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly signal: AbortSignal;
}

/** The part of SABnzbd's API that is used here. */
export class SabnzbdApi {
  constructor(private readonly asking: AskingClient) {}

  async version(): Promise<string> {
    return (await this.call({ mode: "version" }, z.object({ version: z.string() }))).version;
  }

  async queue(filter: Readonly<Record<string, string>>) {
    return (await this.call({ mode: "queue", start: "0", limit: "1000", ...filter }, queue)).queue;
  }

  async history(filter: Readonly<Record<string, string>>) {
    return (await this.call({ mode: "history", start: "0", limit: "1000", ...filter }, history)).history.slots;
  }

  async categories(): Promise<string[]> {
    return (await this.call({ mode: "get_cats" }, z.object({ categories: z.array(text) }))).categories;
  }

  /** The folder of finished downloads, as SABnzbd sees it. */
  async completeFolder(): Promise<string> {
    const status = z.object({ status: z.object({ completedir: text }) });
    return (await this.call({ mode: "fullstatus", skip_dashboard: "1" }, status)).status.completedir;
  }

  /** @returns the id @throws {BadInput} SABnzbd takes it for empty, or for a duplicate */
  async add({ name, bytes, signal }: Nzb): Promise<string> {
    const form = new FormData();
    const { apiKey, category } = this.asking.entry;
    const fields = { mode: "addfile", output: "json", apikey: apiKey, nzbname: name, cat: category, priority: "-100" };
    for (const [field, value] of Object.entries(fields)) if (value !== "") form.set(field, value);
    form.set("name", new Blob([new Uint8Array(bytes)], { type: "application/x-nzb" }), `${name}.nzb`);
    const answer = await this.asking.post({ path: "/api", body: form, signal }, added);
    const [id] = answer.nzo_ids;
    if (answer.status && id !== undefined && id !== "") return id;
    const why = answer.error === undefined ? "It takes it for empty, or for a duplicate." : answer.error;
    throw new BadInput("source-usenet/client-refuses-file", `SABnzbd did not add the NZB. ${why}`);
  }

  async remove(mode: "queue" | "history", id: string, deleteFiles: boolean): Promise<void> {
    const parameters = { mode, name: "delete", value: id, del_files: deleteFiles ? "1" : "0", archive: "0" };
    await this.call(parameters, z.object({ status: z.boolean().optional() }));
  }

  async call<S extends z.ZodType>(parameters: Readonly<Record<string, string>>, schema: S): Promise<z.output<S>> {
    const form = new URLSearchParams({ ...parameters, output: "json" });
    if (this.asking.entry.apiKey !== "") form.set("apikey", this.asking.entry.apiKey);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const done = schema.transform((value) => ({ done: value }));
    // Deleting answers with a status as well, which is false for what is gone already.
    const either =
      parameters["name"] === "delete" ? done : z.union([failed.transform((value) => ({ failed: value })), done]);
    const answer = await this.asking.post({ path: "/api", headers, body: form.toString() }, either);
    if ("failed" in answer) {
      const why = answer.failed.error ?? "It does not say why.";
      throw new UpstreamFailure("source-usenet/client-failed", `SABnzbd did not do it: ${why}`);
    }
    return answer.done;
  }
}
