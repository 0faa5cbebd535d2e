import { language, t } from "@longbox/sdk/ui";

/**
 * What the server says to people who have not signed in, and so may not read the texts of plugins. English is the
 * server's own.
 */
const messages: Readonly<Record<string, () => string>> = {
  "kernel/bad-credentials": () => t("errorsBeforeSignIn.badCredentials"),
  "kernel/too-many-attempts": () => t("errorsBeforeSignIn.tooManyAttempts"),
  "kernel/registration-closed": () => t("errorsBeforeSignIn.registrationClosed"),
  "kernel/password-login-off": () => t("errorsBeforeSignIn.passwordLoginOff"),
  "kernel/setup-token-needed": () => t("errorsBeforeSignIn.setupTokenNeeded"),
  "kernel/already-set-up": () => t("errorsBeforeSignIn.alreadySetUp"),
};

export function errorBeforeSignIn(code: string): string | undefined {
  return language === "en" ? undefined : messages[code]?.();
}
