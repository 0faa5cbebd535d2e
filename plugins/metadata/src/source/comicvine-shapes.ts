import { z } from "zod";
import type { IssueKind } from "@longbox/collection/contract";
import type { Arc, ArcSummary, ReleasedIssue, SourceIssue, SourceVolume, VolumeSummary } from "../contract.js";
import { cleanHtml, plainText } from "./clean-html.js";

const text = z.string().nullish().catch(undefined);
const id = z.coerce.number().int().positive();
const link = z
  .object({ id: id.optional().catch(undefined), name: text })
  .nullish()
  .catch(undefined);
const image = z.record(z.string(), z.unknown()).nullish().catch(undefined);
const names = z
  .array(z.object({ name: text }))
  .nullish()
  .catch(undefined);
const issueStub = z.object({ id, name: text, issue_number: z.coerce.string().nullish().catch(undefined) });

export const volumeSchema = z.object({
  id,
  name: text,
  start_year: z.union([z.string(), z.number()]).nullish().catch(undefined),
  count_of_issues: z.coerce.number().int().nonnegative().catch(0),
  publisher: link,
  image,
  description: text,
  deck: text,
  aliases: text,
  site_detail_url: text,
  issues: z.array(issueStub).nullish().catch(undefined),
});
export const issueSchema = issueStub.extend({
  cover_date: text,
  store_date: text,
  description: text,
  image,
  volume: link,
  site_detail_url: text,
  person_credits: z
    .array(z.object({ name: text, role: text }))
    .nullish()
    .catch(undefined),
  character_credits: names,
  team_credits: names,
  location_credits: names,
  story_arc_credits: names,
});
export const arcSchema = z.object({
  id,
  name: text,
  deck: text,
  description: text,
  image,
  publisher: link,
  issues: z
    .array(z.object({ id, name: text }))
    .nullish()
    .catch(undefined),
});
type Volume = z.output<typeof volumeSchema>;
type Issue = z.output<typeof issueSchema>;

export function toSummary(volume: Volume): VolumeSummary {
  return {
    id: volume.id,
    name: plainText(volume.name) ?? `Volume ${volume.id}`,
    publisher: plainText(volume.publisher?.name),
    startYear: toYear(volume.start_year),
    issueCount: volume.count_of_issues,
    deck: plainText(volume.deck),
    aliases: splitLines(volume.aliases),
    imageUrl: imageUrl(volume.image),
  };
}

/** The issues come from their own list, which knows dates; those that only the volume names are added. */
export function toVolume(volume: Volume, listed: readonly Issue[]): SourceVolume {
  const { id: cvId, name, publisher, startYear, deck, aliases, issueCount, imageUrl: cover } = toSummary(volume);
  const seen = new Set(listed.map((issue) => issue.id));
  const stubs = (volume.issues ?? []).filter((issue) => !seen.has(issue.id)).map((issue) => issueSchema.parse(issue));
  const issues = [...listed, ...stubs];
  return {
    cvId,
    title: name,
    publisher,
    year: startYear,
    description: cleanHtml(volume.description),
    aliases,
    url: safeUrl(volume.site_detail_url),
    status: guessStatus(issues),
    deck,
    issueCount,
    imageUrl: cover,
    issues: issues.map(toListed),
    issueImages: issues.flatMap((issue) => {
      const url = imageUrl(issue.image);
      return url ? [{ cvIssueId: issue.id, imageUrl: url }] : [];
    }),
  };
}

function toListed(issue: Issue) {
  return {
    cvIssueId: issue.id,
    number: (issue.issue_number ?? "").trim(),
    kind: guessKind(issue),
    title: plainText(issue.name),
    coverDate: toDay(issue.cover_date),
    storeDate: toDay(issue.store_date),
  };
}

export function toIssue(issue: Issue): SourceIssue {
  return {
    ...toListed(issue),
    volumeId: issue.volume?.id ?? 0,
    volumeName: plainText(issue.volume?.name) ?? "",
    imageUrl: imageUrl(issue.image),
    description: cleanHtml(issue.description),
    url: safeUrl(issue.site_detail_url),
    credits: (issue.person_credits ?? [])
      .flatMap((credit) => rolesOf(credit.role).map((role) => ({ name: plainText(credit.name) ?? "", role })))
      .filter((credit) => credit.name !== ""),
    characters: namesOf(issue.character_credits),
    teams: namesOf(issue.team_credits),
    locations: namesOf(issue.location_credits),
    arcs: namesOf(issue.story_arc_credits),
  };
}

export function toReleased(issue: Issue): ReleasedIssue {
  const { cvIssueId, number, title, coverDate, storeDate } = toListed(issue);
  return {
    cvIssueId,
    number,
    title,
    coverDate,
    storeDate,
    volumeId: issue.volume?.id ?? 0,
    volumeName: plainText(issue.volume?.name) ?? "",
    imageUrl: imageUrl(issue.image),
  };
}

export function toArcSummary(arc: z.output<typeof arcSchema>): ArcSummary {
  return {
    id: arc.id,
    name: plainText(arc.name) ?? `Arc ${arc.id}`,
    publisher: plainText(arc.publisher?.name),
    deck: plainText(arc.deck),
    imageUrl: imageUrl(arc.image),
  };
}

export function toArc(arc: z.output<typeof arcSchema>): Arc {
  return {
    ...toArcSummary(arc),
    description: cleanHtml(arc.description),
    issues: (arc.issues ?? []).map((issue) => ({ cvIssueId: issue.id, name: plainText(issue.name) })),
  };
}

const rolesOf = (roles: string | null | undefined) =>
  (roles ?? "")
    .split(",")
    .map((role) => role.trim().toLowerCase())
    .filter((role) => role !== "");
const namesOf = (list: ReadonlyArray<{ name?: string | null | undefined }> | null | undefined) =>
  (list ?? []).flatMap((entry) => plainText(entry.name) ?? []);
const splitLines = (lines: string | null | undefined) =>
  (lines ?? "").split(/\r?\n/).flatMap((line) => plainText(line) ?? []);

/** "2019", 2019 and "2019?" are years; "20??" and "" are not. */
function toYear(year: string | number | null | undefined): number | undefined {
  const match = /^\s*(\d{4})/.exec(String(year ?? ""));
  return match ? Number(match[1]) : undefined;
}

const toDay = (day: string | null | undefined) =>
  day && /^\d{4}-\d\d-\d\d/.test(day) && !Number.isNaN(Date.parse(day.slice(0, 10))) ? day.slice(0, 10) : undefined;
const safeUrl = (url: string | null | undefined) =>
  url && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined;

function imageUrl(sizes: Record<string, unknown> | null | undefined): string | undefined {
  for (const size of [
    "screen_large_url",
    "super_url",
    "original_url",
    "medium_url",
    "screen_url",
    "small_url",
    "thumb_url",
  ]) {
    const url = sizes?.[size];
    const safe = typeof url === "string" ? safeUrl(url) : undefined;
    if (safe) return safe;
  }
  return undefined;
}

/** The provider has no kind of issue; it is recognised by the beginning of the number or title. */
function guessKind(issue: Issue): IssueKind | undefined {
  if (/^annual\b/i.test(issue.issue_number ?? "")) return "annual";
  return /^special\b/i.test(issue.issue_number ?? "") ? "special" : undefined;
}

const quietMonths = 18;

/** A volume is ongoing when issues were released recently or are announced, and ended otherwise. */
function guessStatus(issues: readonly Issue[]): "ongoing" | "ended" | "unknown" {
  const dates = issues.flatMap((issue) => toDay(issue.store_date) ?? toDay(issue.cover_date) ?? []);
  if (dates.length === 0) return "unknown";
  const latest = Date.parse(dates.reduce((left, right) => (left > right ? left : right)));
  return Date.now() - latest < quietMonths * 30.4 * 86_400_000 ? "ongoing" : "ended";
}
