import { LongboxError } from "@longbox/sdk";

export class ForeignSender extends LongboxError {
  constructor(address: string) {
    super("forbidden", "sign-in-proxy/foreign-sender", `${address} is not the address of the proxy.`, { address });
  }
}

export class NoUserName extends LongboxError {
  constructor(header: string) {
    super("not-signed-in", "sign-in-proxy/no-user-name", `The proxy sent no user name in the header ${header}.`, {
      header,
    });
  }
}
