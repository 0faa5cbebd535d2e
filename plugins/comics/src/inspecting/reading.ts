import type { FileReading } from "@longbox/files/contract";
import type { IssueTags } from "../tags/issue-tags.js";

/** What tags say, in the words that all formats share. */
export function readingOf(tags: IssueTags): FileReading {
  return {
    series: {
      name: tags.series,
      publisher: tags.publisher,
      volume: tags.volume,
      rightToLeft: tags.rightToLeft,
      ...(tags.cvVolumeId !== undefined && { ids: { cv: String(tags.cvVolumeId) } }),
    },
    number: tags.number,
    edition: tags.format,
    title: tags.title,
    description: tags.summary,
    ...(tags.year !== undefined && { date: { year: tags.year, month: tags.month, day: tags.day } }),
    people: tags.credits,
    language: tags.language,
    ageRating: tags.ageRating,
    subjects: {
      characters: tags.characters,
      teams: tags.teams,
      locations: tags.locations,
      arcs: tags.arcs,
      subjects: tags.subjects,
    },
    url: tags.url,
    ...(tags.cvIssueId !== undefined && { ids: { cv: String(tags.cvIssueId) } }),
  };
}
