import type { PageList } from "@longbox/files/contract";
import { coverAddress, feedAddress, fileAddress, pageAddress, progressionAddress, type Addresses } from "../addresses.js";
import type { Publication } from "../catalog/catalog-feed.js";
import { firstDayOf } from "../dates.js";
import { issueTitle, tidyFileName } from "../file-names.js";
import { authenticationAddress, authenticationType } from "./authentication.js";
import { progressionRelation, progressionType } from "./progression.js";
import { readiumProgressionRelation, readiumProgressionType } from "./readium-progression.js";

export const publicationType = "application/opds-publication+json";
export const divinaType = "application/divina+json";

/** One issue as OPDS 2.0 describes publications. */
export function publicationDocument(publication: Publication, addresses: Addresses): Record<string, unknown> {
  const { issue, file, pages } = publication;
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
      ...(pages > 0 ? linksToPages(publication, addresses) : []),
    ],
    ...(pages > 0 && { images: [320, 1200].map((width) => ({ href: coverAddress(addresses, issue.cvIssueId, width), type: "image/jpeg" })) }),
  };
}

function linksToPages({ issue }: Publication, addresses: Addresses): unknown[] {
  return [
    { rel: ["self", "alternate"], href: manifestAddress(addresses, issue.cvIssueId), type: divinaType },
    ...progressionLinks(issue.cvIssueId, addresses),
  ];
}

function progressionLinks(cvIssueId: number, addresses: Addresses): unknown[] {
  return [
    { rel: progressionRelation, href: progressionAddress(addresses, cvIssueId, "progression"), type: progressionType },
    { rel: readiumProgressionRelation, href: progressionAddress(addresses, cvIssueId, "readium-progression"), type: readiumProgressionType },
  ];
}

/** The pages of an issue, to be read online: a Readium manifest of the Divina profile. */
export function divinaManifest(publication: Publication, list: PageList, addresses: Addresses): Record<string, unknown> {
  const { issue } = publication;
  return {
    "@context": "https://readium.org/webpub-manifest/context.jsonld",
    metadata: {
      ...metadataOf(publication, addresses),
      conformsTo: "https://readium.org/webpub-manifest/profiles/divina",
      numberOfPages: list.pages.length,
      readingProgression: list.rightToLeft || issue.type === "manga" ? "rtl" : "ltr",
    },
    links: [
      { rel: "self", href: manifestAddress(addresses, issue.cvIssueId), type: divinaType },
      ...progressionLinks(issue.cvIssueId, addresses),
    ],
    readingOrder: list.pages.map(({ contentType }, page) => ({ href: pageAddress(addresses, issue.cvIssueId, page), type: streamedType(contentType) })),
    resources: [{ rel: "cover", href: coverAddress(addresses, issue.cvIssueId, 1200), type: "image/jpeg" }],
  };
}

function manifestAddress(addresses: Addresses, cvIssueId: number): string {
  return `${feedAddress(addresses, `/issue/${cvIssueId}`)}/manifest`;
}

/** Types that become JPEG for a client which names none; what cannot be changed, such as BMP, stays what it is. */
const changedTypes = new Set(["image/webp", "image/avif", "image/tiff", "image/heic", "image/heif"]);

/** The type that a page has for a client which names none. */
function streamedType(contentType: string): string {
  return changedTypes.has(contentType) ? "image/jpeg" : contentType;
}

function metadataOf({ name, issue, contributors, arcs, description, pages }: Publication, addresses: Addresses): Record<string, unknown> {
  const position = Number(issue.number);
  const published = firstDayOf(issue.coverDate);
  return {
    "@type": issue.type === "audiobook" ? "http://schema.org/Audiobook" : issue.type === "ebook" ? "http://schema.org/Book" : "http://schema.org/ComicIssue",
    title: issueTitle(issue),
    identifier: addresses.identifiers.of(name),
    modified: issue.addedAt,
    ...contributors,
    ...(description !== undefined && { description }),
    ...(published !== undefined && { published }),
    ...(issue.publisher && { publisher: issue.publisher }),
    ...(pages > 0 && { numberOfPages: pages }),
    ...(issue.type === "manga" && { readingProgression: "rtl" }),
    belongsTo: {
      series: [
        {
          name: issue.seriesTitle,
          ...(Number.isFinite(position) && position >= 0 && issue.kind === "issue" && { position }),
          links: [{ href: feedAddress(addresses, `/series/${issue.seriesId}`), type: "application/opds+json" }],
        },
      ],
      ...(arcs.length > 0 && { storyArc: arcs.map((arc) => ({ name: arc })) }),
    },
  };
}
