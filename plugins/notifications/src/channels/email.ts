import type { ChannelMessage, ChannelOutcome, NotificationChannel } from "../contract.js";
import type { NotificationSettings } from "../settings.js";
import { entered } from "./answers.js";

const plausible = /^[^\s@<>"(),:;[\]\\]{1,64}@[^\s@<>"(),:;[\]\\]{1,250}$/;
const limitMs = 20_000;

/** E-mail through the mail server that the settings name. */
export function emailChannel(settings: () => NotificationSettings): NotificationChannel {
  return {
    id: "email",
    label: "E-mail",
    verified: true,
    fields: [{ name: "address", label: "E-mail address", kind: "email", required: true }],
    unavailable: async () =>
      settings().mailHost === "" || settings().mailFrom === ""
        ? "No mail server is configured. An administrator can configure one under Settings, Notifications."
        : undefined,
    check: async (fields) =>
      plausible.test(entered(fields, "address") ?? "") ? {} : { address: "must be an e-mail address" },
    async send({ message, fields, signal }) {
      // Loaded for the first message: it takes 4 MB, and most servers send none.
      const { createTransport } = await import("nodemailer");
      signal.throwIfAborted();
      const transport = createTransport(transportOptions(settings()));
      const stop = () => transport.close();
      signal.addEventListener("abort", stop, { once: true });
      try {
        const sent = await transport.sendMail({
          from: settings().mailFrom,
          to: { name: "", address: entered(fields, "address") ?? "" },
          subject: message.title,
          text: [message.body, message.url].filter(Boolean).join("\n\n"),
          messageId: `<${message.id}.${Date.parse(message.at)}@longbox.invalid>`,
          headers: headersOf(message),
          disableFileAccess: true,
          disableUrlAccess: true,
        });
        return { sent: true, answer: sent.response };
      } catch (fault) {
        return refusalOf(fault);
      } finally {
        signal.removeEventListener("abort", stop);
        transport.close();
      }
    },
  };
}

function headersOf({ category, language }: ChannelMessage): Record<string, string> {
  return {
    "Auto-Submitted": "auto-generated",
    "X-Longbox-Category": category,
    ...(language !== undefined && { "Content-Language": language }),
  };
}

function transportOptions({ mailHost, mailPort, mailEncryption, mailUser, mailPassword }: NotificationSettings) {
  return {
    host: mailHost,
    port: mailPort,
    secure: mailEncryption === "tls",
    requireTLS: mailEncryption === "starttls",
    ignoreTLS: mailEncryption === "none",
    ...(mailUser !== "" && { auth: { user: mailUser, pass: mailPassword } }),
    connectionTimeout: limitMs,
    greetingTimeout: limitMs,
    socketTimeout: limitMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** 5xx of the mail server rejects this message; all other errors are temporary: see the codes of nodemailer. */
function refusalOf(fault: unknown): ChannelOutcome {
  const { message, code, responseCode } = fault as Error & { code?: string; responseCode?: number };
  const isOfServer = code === "EAUTH" || code === "ETLS";
  const again = !isOfServer && responseCode !== undefined && responseCode >= 500 ? "never" : "later";
  return { sent: false, again, reason: message };
}
