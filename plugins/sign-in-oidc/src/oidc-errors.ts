import { BadInput, LongboxError } from "@longbox/sdk";

export class NotConfigured extends BadInput {
  constructor(what: string) {
    super("sign-in-oidc/not-configured", `The provider has no ${what}.`, { [what]: "must be given" });
  }
}

export class InsecureIssuer extends BadInput {
  constructor(issuer: string) {
    super("sign-in-oidc/insecure-issuer", `${issuer} is not encrypted: only https is used, except on this machine.`, {
      issuer: "must begin with https://",
    });
  }
}

export class NotInGroup extends LongboxError {
  constructor(group: string) {
    super("forbidden", "sign-in-oidc/not-in-group", `Only members of the group ${group} may sign in.`, { group });
  }
}

export class UnknownProvider extends BadInput {
  constructor(key: string) {
    super("sign-in-oidc/no-such-provider", `There is no provider "${key}".`, { key });
  }
}
