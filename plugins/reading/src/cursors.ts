import type { HistoryPlace } from "./keeping/history-records.js";
import type { Place } from "./keeping/progress-records.js";
import { WrongField } from "./reading-errors.js";

export function writePlace({ at, issueId }: Place): string {
  return `${at}.${issueId}`;
}

/** @throws {WrongField} */
export function readPlace(text: string | undefined): Place | undefined {
  if (text === undefined) return undefined;
  const parts = /^(\d{1,15})\.(\d{1,15})$/.exec(text);
  if (!parts) throw new WrongField("after", "must be the end of an earlier part");
  return { at: Number(parts[1]), issueId: Number(parts[2]) };
}

export function writeHistoryPlace({ quarterAt, issueId, device }: HistoryPlace): string {
  return `${quarterAt}.${issueId}.${device}`;
}

/** @throws {WrongField} */
export function readHistoryPlace(text: string | undefined): HistoryPlace | undefined {
  if (text === undefined) return undefined;
  const parts = /^(\d{1,15})\.(\d{1,15})\.(.+)$/s.exec(text);
  if (!parts) throw new WrongField("after", "must be the end of an earlier part");
  return { quarterAt: Number(parts[1]), issueId: Number(parts[2]), device: parts[3]! };
}
