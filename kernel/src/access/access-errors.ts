import { BadInput, Conflict, LongboxError, NotFound } from "@longbox/sdk";

export class BadCredentials extends LongboxError {
  constructor(message = "The name or the password is wrong.") {
    super("not-signed-in", "kernel/bad-credentials", message);
  }
}

export class AccountNotFound extends NotFound {
  constructor(id: number) {
    super("kernel/user-not-found", `There is no account ${id}.`, { id });
  }
}

export class RoleNotFound extends NotFound {
  constructor(name: string) {
    super("kernel/role-not-found", `There is no role "${name}".`, { name });
  }
}

export class UsernameTaken extends Conflict {
  constructor(username: string) {
    super("kernel/username-taken", `The name "${username}" is taken.`, { username });
  }
}

/** An account cannot take away its own rights by mistake. */
export class OwnAccount extends Conflict {
  constructor(deed: string) {
    super("kernel/own-account", `You cannot ${deed} your own account.`);
  }
}

/** One account must remain that can manage accounts. */
export class LastAdmin extends Conflict {
  constructor() {
    super("kernel/last-admin", "No account would be left that can manage accounts.");
  }
}

/** Users can only grant rights that they have. */
export class BeyondOwnRights extends LongboxError {
  constructor() {
    super("forbidden", "kernel/beyond-own-rights", "This would grant or change rights that you do not have.");
  }
}

export class UnknownRole extends BadInput {
  constructor(name: string) {
    super("kernel/unknown-role", `There is no role "${name}".`, { role: "must be the name of a role" });
  }
}

export class BadLanguage extends BadInput {
  constructor(language: string) {
    super("kernel/bad-language", `"${language.slice(0, 40)}" is not the tag of a language, such as de.`, {
      language: "must be a language tag such as de",
    });
  }
}

/** The local admin of open mode has no account that could be changed. */
export class NeedsRealAccount extends LongboxError {
  constructor() {
    super("forbidden", "kernel/needs-account", "Sign in with a real account first.");
  }
}

/** An API key must not open another way into the account, which would last after the key was revoked. */
export class NeedsSession extends LongboxError {
  constructor() {
    super("forbidden", "kernel/needs-session", "An API key cannot do this. Sign in with a browser.");
  }
}

export class IdentityTaken extends Conflict {
  constructor() {
    super("kernel/identity-taken", "Another account already signs in this way.");
  }
}

/** An account must keep a way to sign in. */
export class OnlySignIn extends Conflict {
  constructor() {
    super("kernel/only-sign-in", "This is the only way to sign in to this account. Set a password first.");
  }
}
