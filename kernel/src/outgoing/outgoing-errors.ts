import { HostFailure, UpstreamFailure } from "@longbox/sdk";

/** No connection, or one that broke. */
export class ServerUnreachable extends HostFailure {
  constructor(host: string, cause: unknown) {
    super(`${host} cannot be reached${reasonOf(cause)}.`, { code: "kernel/server-unreachable", cause });
  }
}

export class FetchTimeout extends HostFailure {
  constructor(host: string, timeoutMs: number) {
    super(`${host} did not answer within ${timeoutMs / 1000} seconds.`, { code: "kernel/fetch-timeout" });
  }
}

export class AnswerTooLarge extends UpstreamFailure {
  constructor(host: string, maxBytes: number) {
    super("kernel/answer-too-large", `The answer of ${host} is larger than ${maxBytes} bytes.`, { maxBytes });
  }
}

export class AddressNotPublic extends UpstreamFailure {
  constructor(host: string) {
    super(
      "kernel/address-not-public",
      `${host} is an address inside this network. An admin can allow it in the server's settings.`,
      { host },
    );
  }
}

export class RedirectRefused extends UpstreamFailure {
  constructor(host: string, reason: string) {
    super("kernel/redirect-refused", `${host} sends the request elsewhere: ${reason}.`);
  }
}

/** The kind of a network fault, such as `ECONNREFUSED`; its text could name an address with a key in it. */
function reasonOf(fault: unknown): string {
  const codes: unknown[] = [];
  for (let at: unknown = fault; at instanceof Error && codes.length < 4; at = at.cause)
    codes.push((at as { code?: unknown }).code);
  const code = codes.find((one) => typeof one === "string");
  return code === undefined ? "" : ` (${String(code)})`;
}
