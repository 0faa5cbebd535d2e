import { feedAddress, type Addresses } from "../addresses.js";
import type { Publication } from "../catalog/catalog-feed.js";

export const divinaType = "application/divina+json";
export const audiobookType = "application/audiobook+json";

export function manifestAddress(addresses: Addresses, cvIssueId: number): string {
  return `${feedAddress(addresses, `/issue/${cvIssueId}`)}/manifest`;
}

/** The type of the manifest that a work has: its pages, or its sound; undefined when it has neither. */
export function manifestType(publication: Publication): string | undefined {
  if (isRecording(publication)) return audiobookType;
  return publication.pages > 0 ? divinaType : undefined;
}

/** A recording of known length, which the manifest of an audiobook must contain: a file, or a folder of files. */
export function isRecording({ issue, words, file }: Publication): boolean {
  return (
    words.length === "seconds" && (file.isFolder || file.contentType.startsWith("audio/")) && (issue.seconds ?? 0) > 0
  );
}
