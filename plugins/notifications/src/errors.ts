import { BadInput, Conflict, NotFound } from "@longbox/sdk";

export class AddressNotFound extends NotFound {
  constructor(id: number) {
    super("notifications/address-not-found", `There is no address ${id}.`, { id });
  }
}

export class UnknownChannel extends BadInput {
  constructor(channel: string) {
    super("notifications/unknown-channel", `There is no channel "${channel}".`, { channel: "is unknown" });
  }
}

/** Invalid fields of an address, each with the reason. */
export class BadAddress extends BadInput {
  constructor(problems: Readonly<Record<string, string>>) {
    const all = Object.entries(problems).map(([field, reason]) => `${field}: ${reason}`);
    super("notifications/bad-address", `The address cannot be used: ${all.join("; ")}.`, { ...problems });
  }
}

export class ChannelUnavailable extends Conflict {
  constructor(reason: string) {
    super("notifications/channel-unavailable", `This channel is not available. ${reason}`);
  }
}

export class TooManyAddresses extends Conflict {
  constructor(most: number) {
    super("notifications/too-many-addresses", `A user can have ${most} addresses. Remove one first.`);
  }
}

export class NotVerified extends Conflict {
  constructor() {
    super("notifications/not-verified", "Enter the code that was sent to this address first.");
  }
}

export class WrongCode extends BadInput {
  constructor() {
    super("notifications/wrong-code", "This is not the code that was sent last, or it is too old. Send another one.", {
      code: "is wrong or too old",
    });
  }
}

export class TooManyTrials extends Conflict {
  constructor() {
    super("notifications/too-many-trials", "Too many tests of this address. Try again in a minute.", undefined, {
      retryAfterSeconds: 60,
    });
  }
}
