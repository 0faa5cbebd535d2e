import { retryAfterSeconds } from "@longbox/sdk";
import type { ChannelOutcome } from "../contract.js";

const shownBytes = 200;

/**
 * Classifies the answer of a receiver: 2xx is success, 404 and 410 are permanent, 408, 429 and 5xx are repeated, all
 * others are refused.
 */
export async function outcomeOf(answer: Response): Promise<ChannelOutcome> {
  const text = (await answer.text()).replaceAll(/\s+/g, " ").trim().slice(0, shownBytes);
  const line = text === "" ? String(answer.status) : `${answer.status}: ${text}`;
  if (answer.ok) return { sent: true, answer: line };
  const reason = `The receiver answered ${line}`;
  if (answer.status === 404 || answer.status === 410) return { sent: false, again: "gone", reason };
  const passes = answer.status === 408 || answer.status === 425 || answer.status === 429 || answer.status >= 500;
  if (!passes) return { sent: false, again: "never", reason };
  const asked = retryAfterSeconds(answer.headers.get("retry-after"));
  return { sent: false, again: "later", reason, retryAfterSeconds: asked };
}

/** Values of a text field are trimmed; empty ones count as missing. */
export function entered(fields: Readonly<Record<string, string>>, name: string): string | undefined {
  const value = fields[name]?.trim();
  return value === undefined || value === "" ? undefined : value;
}
