import { isLongboxError, UpstreamFailure, type Answer, type PluginContext } from "@longbox/sdk";
import { z } from "zod";
import type { ClientEntry } from "../settings.js";
import { failed } from "./client-failure.js";

const patienceMs = 20_000;
const sessionHeader = "x-transmission-session-id";
const envelope = z.object({ result: z.string(), arguments: z.unknown().optional() });

/** The RPC of Transmission in its first form, which all versions speak. */
export class TransmissionRpc {
  #session = "";

  constructor(
    private readonly context: Pick<PluginContext, "host">,
    private readonly entry: ClientEntry,
  ) {}

  /**
   * @throws {UpstreamFailure} with a sentence for a person
   * @throws {Refusal} Transmission understands the request, and does not do it
   */
  async call<S extends z.ZodType>(
    method: string,
    given: Readonly<Record<string, unknown>>,
    { schema, signal }: { readonly schema: S; readonly signal?: AbortSignal },
  ): Promise<z.output<S>> {
    const body = JSON.stringify({ method, arguments: given });
    const first = await this.#send(body, signal);
    const answer = first.status === 409 ? await this.#again(first, body, signal) : first;
    if (!answer.ok) throw await failureOf(answer);
    const read = await readAnswer(answer);
    if (read.result !== "success") throw new Refusal(read.result);
    const parsed = schema.safeParse(read.arguments);
    if (!parsed.success) throw failed("It answers in a way that Transmission does not. Check the version.");
    return parsed.data;
  }

  /** Transmission gives a session's id with its refusal; after its restart another one. */
  async #again(first: Answer, body: string, signal: AbortSignal | undefined): Promise<Answer> {
    await first.body?.cancel();
    this.#session = first.headers.get(sessionHeader) ?? "";
    if (this.#session === "") throw failed("The server at this address is not Transmission. Check the address.");
    return this.#send(body, signal);
  }

  async #send(body: string, signal: AbortSignal | undefined): Promise<Answer> {
    const { username, password } = this.entry;
    const url = rpcAddress(this.entry.url);
    return this.context.host(url).fetch(url, {
      method: "POST",
      body,
      timeoutMs: patienceMs,
      redirects: 0,
      ...(signal && { signal }),
      headers: {
        "content-type": "application/json",
        [sessionHeader]: this.#session,
        ...(username !== "" && {
          authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
        }),
      },
    });
  }
}

/** Transmission says why it does not do what it was asked. */
export class Refusal extends UpstreamFailure {
  constructor(said: string) {
    super("source-torrent/client-failed", `Transmission says: ${said.slice(0, 200)}.`);
  }
}

/** People enter the address of the web interface, or that of the RPC. */
function rpcAddress(given: string): URL {
  const url = new URL(given);
  const path = url.pathname.replace(/\/(?:web\/?)?$/u, "");
  url.pathname = path.endsWith("/rpc")
    ? path
    : path.endsWith("/transmission")
      ? `${path}/rpc`
      : `${path}/transmission/rpc`;
  return url;
}

async function readAnswer(answer: Answer) {
  return answer.json(envelope).catch((fault: unknown) => {
    if (isLongboxError(fault) && fault.code === "kernel/answer-unreadable")
      throw failed("The server at this address is not Transmission. Check the address.");
    throw fault;
  });
}

async function failureOf(answer: Answer): Promise<UpstreamFailure> {
  await answer.body?.cancel();
  if (answer.status === 401) return failed("Transmission rejected the user name or password.");
  if (answer.status === 403)
    return failed(
      "Transmission does not let this server in. Add its address to rpc-whitelist in Transmission's settings.",
    );
  if (answer.status === 421)
    return failed("Transmission does not know itself by this name. Add it to rpc-host-whitelist in its settings.");
  return failed(`It answers ${answer.status}. Check that Transmission is at this address.`);
}
