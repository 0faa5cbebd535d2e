import { BadInput, Conflict, NotFound } from "@longbox/sdk";

export class AddressNotFound extends NotFound {
  constructor(id: number) {
    super("notifications/address-not-found", `There is no address ${id}.`, { id });
  }
}

export class UnknownChannel extends BadInput {
  constructor(channel: string) {
    super("notifications/unknown-channel", `There is no channel "${channel}".`, { channel: "is not known" });
  }
}

/** Fields of an address that cannot be used, each with the reason. */
export class BadAddress extends BadInput {
  constructor(problems: Readonly<Record<string, string>>) {
    const all = Object.entries(problems).map(([field, reason]) => `${field} ${reason}`);
    super("notifications/bad-address", `${all.join("; ")}.`, { ...problems });
  }
}

export class ChannelUnavailable extends Conflict {
  constructor(reason: string) {
    super("notifications/channel-unavailable", `Nothing can be sent over this channel now. ${reason}`);
  }
}

export class TooManyAddresses extends Conflict {
  constructor(most: number) {
    super("notifications/too-many-addresses", `A user can have ${most} addresses. Remove one first.`);
  }
}

export class TooManyTrials extends Conflict {
  constructor() {
    super("notifications/too-many-trials", "This address was tried several times just now. Wait a minute.", undefined, {
      retryAfterSeconds: 60,
    });
  }
}
