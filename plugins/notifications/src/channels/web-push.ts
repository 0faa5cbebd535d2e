import type { Fetch, StoredDocument } from "@longbox/sdk";
import webPush from "web-push";
import { z } from "zod";
import type { ChannelDelivery, NotificationChannel } from "../contract.js";
import type { NotificationSettings } from "../settings.js";
import { entered, outcomeOf } from "./answers.js";

export const pushKeysSchema = z.object({ publicKey: z.string().default(""), privateKey: z.string().default("") });
export type PushKeys = z.output<typeof pushKeysSchema>;

/** How long the push service keeps a message for a device that is offline, in seconds. */
const timeToLive = 3 * 24 * 60 * 60;
/** One record of RFC 8188, as push services take it; longer messages are cut. */
const mostBytes = 3_500;

/**
 * The keys that identify this server to push services (VAPID). Created once, because new keys invalidate every
 * subscription.
 */
export async function pushKeys(kept: StoredDocument<PushKeys>): Promise<PushKeys> {
  const known = kept.read();
  return known.publicKey === "" ? kept.update(() => webPush.generateVAPIDKeys()) : known;
}

/** Push messages to browsers, also while no page is open: RFC 8030, 8188, 8291 and 8292. */
export function webPushChannel(
  fetch: Fetch,
  keys: PushKeys,
  about: { readonly settings: () => NotificationSettings; readonly publicUrl: () => Promise<string> },
): NotificationChannel {
  return {
    id: "web-push",
    label: "This browser",
    fields: [
      { name: "endpoint", label: "Endpoint", kind: "url", required: true, secret: true },
      { name: "p256dh", label: "Key", kind: "text", required: true, secret: true },
      { name: "auth", label: "Secret", kind: "text", required: true, secret: true },
    ],
    check: async (fields) => ({
      ...(bytesOf(fields, "p256dh") !== 65 && { p256dh: "must be 65 bytes in base64url" }),
      ...(bytesOf(fields, "auth") !== 16 && { auth: "must be 16 bytes in base64url" }),
    }),
    async send(delivery) {
      const request = encrypted(delivery, keys, subjectOf(await about.publicUrl(), about.settings()));
      const answer = await fetch(request.endpoint, {
        method: "POST",
        headers: request.headers,
        body: request.body,
        redirects: 0,
        maxBytes: 64 * 1024,
        timeoutMs: 20_000,
        signal: delivery.signal,
        ...(!delivery.trusted && { publicOnly: true }),
      });
      const outcome = await outcomeOf(answer);
      if (outcome.sent || (answer.status !== 401 && answer.status !== 403)) return outcome;
      const reason = `The push service does not accept this server's key. ${outcome.reason}`;
      return { sent: false, again: "later", reason };
    },
  };
}

interface PushRequest {
  readonly endpoint: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array<ArrayBuffer>;
}

function encrypted({ message, fields }: ChannelDelivery, keys: PushKeys, subject: string): PushRequest {
  const subscription = {
    endpoint: fields["endpoint"] ?? "",
    keys: { p256dh: entered(fields, "p256dh") ?? "", auth: entered(fields, "auth") ?? "" },
  };
  const text = JSON.stringify({ ...message, body: shortened(message.body) });
  const { endpoint, headers, body } = webPush.generateRequestDetails(subscription, text, {
    TTL: timeToLive,
    urgency: message.level === "error" ? "high" : "normal",
    contentEncoding: "aes128gcm",
    vapidDetails: { subject, ...keys },
  });
  const named = Object.entries(headers).filter(([name]) => name !== "Content-Length");
  return {
    endpoint,
    headers: Object.fromEntries(named.map(([name, value]) => [name, String(value)])),
    body: new Uint8Array(body ?? []),
  };
}

function bytesOf(fields: Readonly<Record<string, string>>, name: string): number {
  const text = entered(fields, name) ?? "";
  return /^[-_A-Za-z0-9]+$/.test(text) ? Buffer.from(text, "base64url").length : 0;
}

function shortened(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length <= mostBytes
    ? text
    : `${bytes
        .subarray(0, mostBytes)
        .toString("utf8")
        .replace(/\uFFFD+$/, "")}…`;
}

/** The contact for push services about this server; an https or mailto URL. */
function subjectOf(publicUrl: string, { mailFrom }: NotificationSettings): string {
  if (publicUrl.startsWith("https://")) return publicUrl;
  const address = /[^\s<>]+@[^\s<>]+/.exec(mailFrom)?.[0];
  return `mailto:${address ?? "longbox@localhost.invalid"}`;
}
