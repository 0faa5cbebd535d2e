import { createHmac, randomUUID } from "node:crypto";
import { textIn, type Fetch, type FetchOptions } from "@longbox/sdk";
import type { Say } from "@longbox/sdk/messages";
import type { ChannelDelivery, ChannelMessage, ChannelOutcome, Level, NotificationChannel } from "../contract.js";
import { entered, outcomeOf } from "./answers.js";

/**
 * Channels that are one request to another server. Addresses of users who do not manage the server must be public ones.
 */
export function webChannels(fetch: Fetch): NotificationChannel[] {
  const post = async ({ trusted, signal }: ChannelDelivery, url: string, init: FetchOptions): Promise<ChannelOutcome> =>
    outcomeOf(
      await fetch(url, {
        method: "POST",
        redirects: 0,
        maxBytes: 64 * 1024,
        timeoutMs: 20_000,
        signal,
        ...init,
        ...(!trusted && { publicOnly: true }),
      }),
    );
  return [webhook(post), ntfy(post), gotify(post), discord(post), apprise(post)];
}

type Post = (delivery: ChannelDelivery, url: string, init: FetchOptions) => Promise<ChannelOutcome>;

const json = (body: unknown, headers: Record<string, string> = {}): FetchOptions => ({
  body: JSON.stringify(body),
  headers: { "Content-Type": "application/json", ...headers },
});

/** Signed as https://www.standardwebhooks.com says, where the user gave a secret. */
function webhook(post: Post): NotificationChannel {
  return {
    id: "webhook",
    label: "Webhook",
    fields: [
      { name: "url", label: "Address", kind: "url", required: true, secret: true },
      {
        name: "secret",
        label: "Signing secret",
        kind: "text",
        required: false,
        secret: true,
        hint: "whsec_ and 24 to 64 bytes in base64; then every request is signed as Standard Webhooks says",
      },
    ],
    check: async (fields) => {
      const secret = entered(fields, "secret");
      return secret === undefined || keyOf(secret) ? {} : { secret: "must be whsec_ and 24 to 64 bytes in base64" };
    },
    send: (delivery) => {
      const { message, fields } = delivery;
      const { id, level, title, body, url = null } = message;
      const data = { id, level, title, body, url };
      const text = JSON.stringify({ type: `longbox.${message.category}`, timestamp: message.at, data });
      const headers = signatureOf(id, text, keyOf(entered(fields, "secret") ?? ""));
      return post(delivery, fields["url"] ?? "", {
        body: text,
        headers: { "Content-Type": "application/json", ...headers },
      });
    },
  };
}

function signatureOf(id: string, text: string, key: Buffer | undefined): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = key && createHmac("sha256", key).update(`${id}.${timestamp}.${text}`).digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    ...(signature && { "webhook-signature": `v1,${signature}` }),
  };
}

function keyOf(secret: string): Buffer | undefined {
  const text = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  const key = text === undefined ? undefined : Buffer.from(text, "base64");
  return key && key.length >= 24 && key.length <= 64 ? key : undefined;
}

const ntfyPriorities: Readonly<Record<Level, number>> = { info: 3, success: 3, warning: 4, error: 5 };

function ntfy(post: Post): NotificationChannel {
  return {
    id: "ntfy",
    label: "ntfy",
    fields: [
      { name: "server", label: "Server", kind: "url", required: true, hint: "such as https://ntfy.sh" },
      { name: "topic", label: "Topic", kind: "text", required: true, secret: true },
      { name: "token", label: "Access token", kind: "text", required: false, secret: true },
    ],
    check: async (fields) =>
      /^[-_A-Za-z0-9]{1,64}$/.test(entered(fields, "topic") ?? "")
        ? {}
        : { topic: "must be 1 to 64 letters, digits, hyphens and underscores" },
    send: (delivery) => {
      const { message, fields } = delivery;
      const token = entered(fields, "token");
      const body = {
        topic: entered(fields, "topic"),
        title: message.title,
        message: textOf(message),
        priority: ntfyPriorities[message.level],
        tags: [message.category],
        ...(message.url && { click: message.url }),
      };
      return post(
        delivery,
        new URL("/", fields["server"] ?? "").href,
        json(body, token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      );
    },
  };
}

const gotifyPriorities: Readonly<Record<Level, number>> = { info: 4, success: 4, warning: 6, error: 8 };

function gotify(post: Post): NotificationChannel {
  return {
    id: "gotify",
    label: "Gotify",
    fields: [
      { name: "server", label: "Server", kind: "url", required: true },
      { name: "token", label: "Application token", kind: "text", required: true, secret: true },
    ],
    send: (delivery) => {
      const { message, fields } = delivery;
      const body = {
        title: message.title,
        message: textOf(message),
        priority: gotifyPriorities[message.level],
        ...(message.url && { extras: { "client::notification": { click: { url: message.url } } } }),
      };
      return post(
        delivery,
        `${(fields["server"] ?? "").replace(/\/+$/, "")}/message`,
        json(body, { "X-Gotify-Key": entered(fields, "token") ?? "" }),
      );
    },
  };
}

const discordColours: Readonly<Record<Level, number>> = {
  info: 0x3b82f6,
  success: 0x22a06b,
  warning: 0xe2a03f,
  error: 0xd64545,
};

function discord(post: Post): NotificationChannel {
  return {
    id: "discord",
    label: "Discord",
    fields: [{ name: "url", label: "Webhook address", kind: "url", required: true, secret: true }],
    send: async (delivery) => {
      const { message, fields } = delivery;
      const url = new URL(fields["url"] ?? "");
      url.searchParams.set("wait", "true");
      const embed = {
        title: message.title.slice(0, 256),
        description: message.body.slice(0, 4096),
        color: discordColours[message.level],
        timestamp: message.at,
        ...(message.url && { url: message.url }),
      };
      return post(delivery, url.href, json({ embeds: [embed], allowed_mentions: { parse: [] } }));
    },
  };
}

const appriseTypes: Readonly<Record<Level, string>> = {
  info: "info",
  success: "success",
  warning: "warning",
  error: "failure",
};

function apprise(post: Post): NotificationChannel {
  return {
    id: "apprise",
    label: "Apprise",
    fields: [
      { name: "server", label: "Server", kind: "url", required: true, hint: "an Apprise API server" },
      { name: "key", label: "Configuration key", kind: "text", required: true, secret: true },
      { name: "tag", label: "Tag", kind: "text", required: false },
    ],
    send: async (delivery) => {
      const { message, fields } = delivery;
      const tag = entered(fields, "tag");
      const body = {
        title: message.title,
        body: textOf(message),
        type: appriseTypes[message.level],
        format: "text",
        ...(tag !== undefined && { tag }),
      };
      const path = `/notify/${encodeURIComponent(entered(fields, "key") ?? "")}`;
      const outcome = await post(delivery, `${(fields["server"] ?? "").replace(/\/+$/, "")}${path}`, json(body));
      if (outcome.sent && outcome.answer.startsWith("204"))
        return { sent: false, again: "never", reason: "The Apprise server has no service under this key." };
      // At least one of several services failed; repeating would send to the others again.
      if (!outcome.sent && outcome.reason.includes("424")) return { ...outcome, again: "never" };
      return outcome;
    },
  };
}

/** For receivers that demand a text. */
function textOf({ title, body }: ChannelMessage): string {
  return body === "" ? title : body;
}

/** The test message to an address. @param language - of its user; undefined where it is not known */
export async function trialMessage(say: Say, language: string | undefined): Promise<ChannelMessage> {
  return {
    id: `trial-${randomUUID()}`,
    category: "system",
    level: "info",
    title: textIn(await say("trial.title"), language),
    body: textIn(await say("trial.body"), language),
    language,
    url: undefined,
    at: new Date().toISOString(),
  };
}
