import type { PageList } from "@longbox/files/contract";
import { coverAddress, feedAddress, fileAddress, pageAddress, type Addresses } from "../addresses.js";
import type { Publication } from "../catalog/catalog-feed.js";
import { issueTitle, tidyFileName } from "../file-names.js";

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
      },
      ...(pages > 0 ? [{ rel: "alternate", href: `${address}/manifest`, type: divinaType }] : []),
    ],
    images: [320, 1200].map((width) => ({ href: coverAddress(addresses, issue.cvIssueId, width), type: "image/jpeg" })),
  };
}

/** The pages of an issue, to be read online: a Readium manifest of the Divina profile. */
export function divinaManifest(publication: Publication, list: PageList, addresses: Addresses): Record<string, unknown> {
  const { issue } = publication;
  return {
    "@context": "https://readium.org/webpub-manifest/context.jsonld",
    metadata: { ...metadataOf(publication, addresses), conformsTo: "https://readium.org/webpub-manifest/profiles/divina", readingProgression: list.rightToLeft || issue.type === "manga" ? "rtl" : "ltr" },
    links: [{ rel: "self", href: `${feedAddress(addresses, `/issue/${issue.cvIssueId}`)}/manifest`, type: divinaType }],
    readingOrder: list.pages.map(({ contentType }, page) => ({ href: pageAddress(addresses, issue.cvIssueId, page), type: contentType })),
    resources: [{ rel: "cover", href: coverAddress(addresses, issue.cvIssueId, 1200), type: "image/jpeg" }],
  };
}

function metadataOf({ urn, issue, contributors, description, pages }: Publication, addresses: Addresses): Record<string, unknown> {
  const position = Number(issue.number);
  return {
    "@type": issue.type === "audiobook" ? "http://schema.org/Audiobook" : issue.type === "ebook" ? "http://schema.org/Book" : "http://schema.org/ComicIssue",
    title: issueTitle(issue),
    identifier: urn,
    modified: issue.addedAt,
    ...contributors,
    ...(description !== undefined && { description }),
    ...publishedOf(issue.coverDate),
    ...(pages > 0 && { numberOfPages: pages }),
    belongsTo: {
      series: [
        {
          name: issue.seriesTitle,
          ...(Number.isFinite(position) && position >= 0 && issue.kind === "issue" && { position }),
          links: [{ href: feedAddress(addresses, `/series/${issue.seriesId}`), type: "application/opds+json" }],
        },
      ],
    },
  };
}

/** A day; where only the month is known, its first. */
function publishedOf(coverDate: string | undefined): { published?: string } {
  if (coverDate === undefined) return {};
  if (/^\d{4}-\d{2}-\d{2}$/.test(coverDate)) return { published: coverDate };
  return /^\d{4}-\d{2}$/.test(coverDate) ? { published: `${coverDate}-01` } : {};
}
