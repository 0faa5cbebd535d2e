import { nameOf } from "../showing/releases.js";
import type { MatchedRelease } from "../showing/matching.js";
import { addDays } from "../weeks.js";

export interface Calendar {
  readonly name: string;
  /** Stays the same for as long as the server lives: with a release's id it names an event. */
  readonly instance: string;
  readonly releases: readonly MatchedRelease[];
  /** The absolute address of a page of this server. */
  readonly pageOf: (path: string) => string;
}

const lineOctets = 75;

/** The releases as whole-day events (RFC 5545). A release whose day moves stays the same event. */
export function calendarText(calendar: Calendar): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Longbox//Releases//EN",
    "CALSCALE:GREGORIAN",
    `NAME:${escaped(calendar.name)}`,
    `X-WR-CALNAME:${escaped(calendar.name)}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT6H",
    "X-PUBLISHED-TTL:PT6H",
    ...calendar.releases.flatMap((release) => eventOf(release, calendar)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

function eventOf(matched: MatchedRelease, { instance, pageOf }: Calendar): string[] {
  const { release } = matched;
  const about = [release.title, release.publisher].filter(Boolean).join("\n");
  return [
    "BEGIN:VEVENT",
    `UID:release-${release.id}@${instance}`,
    `DTSTAMP:${instantOf(release.changed_at)}`,
    `LAST-MODIFIED:${instantOf(release.changed_at)}`,
    `SEQUENCE:${release.revision}`,
    `DTSTART;VALUE=DATE:${release.store_date.replaceAll("-", "")}`,
    `DTEND;VALUE=DATE:${addDays(release.store_date, 1).replaceAll("-", "")}`,
    "TRANSP:TRANSPARENT",
    `SUMMARY:${escaped(nameOf(matched))}`,
    ...(about === "" ? [] : [`DESCRIPTION:${escaped(about)}`]),
    `URL:${pageOf(pathOf(matched))}`,
    "END:VEVENT",
  ];
}

/** The page that shows a release. */
export const pathOf = ({ seriesId, release }: MatchedRelease): string =>
  seriesId === undefined ? `/releases/${release.store_date.slice(0, 7)}` : `/series/${seriesId}`;

/** `20261125T093000Z`. */
const instantOf = (time: number): string => `${new Date(time).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;

/** Text as a property holds it: without control characters, and on one line. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?|\n/g, "\n")
    .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f]/g, " ")
    .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll("\n", String.raw`\n`);
}

/** A line of at most 75 octets, gone on with in lines that begin with a blank; no character is cut. */
function folded(line: string): string {
  // A UTF-16 unit takes three octets at most.
  if (line.length * 3 <= lineOctets || Buffer.byteLength(line) <= lineOctets) return line;
  const parts: string[] = [];
  let [part, octets] = ["", 0];
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > lineOctets) {
      parts.push(part);
      [part, octets] = [" ", 1];
    }
    part += character;
    octets += size;
  }
  return [...parts, part].join("\r\n");
}
