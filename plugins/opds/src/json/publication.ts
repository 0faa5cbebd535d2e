import type { LibraryTypeWords } from "@longbox/collection/contract";
import { coverAddress, feedAddress, fileAddress, progressionAddress, type Addresses } from "../addresses.js";
import { countedPages } from "../type-words.js";
import type { Publication } from "../catalog/catalog-feed.js";
import { firstDayOf } from "../dates.js";
import { tidyFileName, workTitle } from "../file-names.js";
import { manifestAddress, manifestType } from "./manifest-address.js";
import { authenticationAddress, authenticationType } from "./authentication.js";
import { progressionRelation, progressionType } from "./progression.js";
import { readiumProgressionRelation, readiumProgressionType } from "./readium-progression.js";

export const publicationType = "application/opds-publication+json";

/** One issue as OPDS 2.0 describes publications. */
export function publicationDocument(publication: Publication, addresses: Addresses): Record<string, unknown> {
  const { issue, file, hasCover } = publication;
  const address = feedAddress(addresses, `/issue/${issue.cvIssueId}`);
  return {
    metadata: metadataOf(publication, addresses),
    links: [
      { rel: "self", href: address, type: publicationType },
      {
        rel: "http://opds-spec.org/acquisition",
        href: fileAddress(addresses, issue.cvIssueId, tidyFileName(issue, file.name)),
        type: file.contentType,
        ...(file.sizeBytes > 0 && { size: file.sizeBytes }),
        properties: { authenticate: { href: authenticationAddress(addresses.origin), type: authenticationType } },
      },
      ...manifestLinks(publication, addresses),
      ...progressionLinks(issue.cvIssueId, addresses),
    ],
    ...(hasCover && {
      images: [320, 1200].map((width) => ({
        href: coverAddress(addresses, issue.cvIssueId, width),
        type: "image/jpeg",
      })),
    }),
  };
}

function manifestLinks(publication: Publication, addresses: Addresses): unknown[] {
  const type = manifestType(publication);
  if (type === undefined) return [];
  return [{ rel: ["self", "alternate"], href: manifestAddress(addresses, publication.issue.cvIssueId), type }];
}

export function progressionLinks(cvIssueId: number, addresses: Addresses): unknown[] {
  return [
    { rel: progressionRelation, href: progressionAddress(addresses, cvIssueId, "progression"), type: progressionType },
    {
      rel: readiumProgressionRelation,
      href: progressionAddress(addresses, cvIssueId, "readium-progression"),
      type: readiumProgressionType,
    },
  ];
}

export function metadataOf(
  { name, issue, words, contributors, arcs, description }: Publication,
  addresses: Addresses,
): Record<string, unknown> {
  const position = Number(issue.number);
  const published = firstDayOf(issue.coverDate);
  const pages = countedPages(issue, words);
  const isPlaced = issue.number !== "" && Number.isFinite(position) && position >= 0 && issue.kind === "issue";
  return {
    "@type": schemaTypes[words.length],
    title: workTitle(issue),
    identifier: addresses.identifiers.of(name),
    modified: issue.addedAt,
    ...contributors,
    ...(description !== undefined && { description }),
    ...(published !== undefined && { published }),
    ...(issue.publisher && { publisher: issue.publisher }),
    ...(issue.language && { language: issue.language }),
    ...(pages > 0 && { numberOfPages: pages }),
    ...(words.length === "seconds" && issue.seconds && { duration: issue.seconds }),
    ...(issue.type === "manga" && { readingProgression: "rtl" }),
    belongsTo: {
      series: [
        {
          name: issue.seriesTitle,
          ...(isPlaced && { position }),
          links: [{ href: feedAddress(addresses, `/series/${issue.seriesId}`), type: "application/opds+json" }],
        },
      ],
      ...(arcs.length > 0 && { storyArc: arcs.map((arc) => ({ name: arc })) }),
    },
  };
}

/** The type of a work, derived from how its length is measured. */
const schemaTypes: Readonly<Record<LibraryTypeWords["length"], string>> = {
  pages: "http://schema.org/ComicIssue",
  seconds: "http://schema.org/Audiobook",
  fraction: "http://schema.org/Book",
};
