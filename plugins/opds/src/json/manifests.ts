import type { PageList } from "@longbox/comics/contract";
import { coverAddress, fileAddress, pageAddress, type Addresses } from "../addresses.js";
import type { CatalogRecording } from "../contract.js";
import type { Publication } from "../catalog/catalog-feed.js";
import { tidyFileName } from "../file-names.js";
import { audiobookType, divinaType, manifestAddress } from "./manifest-address.js";
import { metadataOf, progressionLinks } from "./publication.js";

export { audiobookType, divinaType, isRecording } from "./manifest-address.js";

const context = "https://readium.org/webpub-manifest/context.jsonld";

/** The pages of an issue, to be read online: a Readium manifest of the Divina profile. */
export function divinaManifest(
  publication: Publication,
  list: PageList,
  addresses: Addresses,
): Record<string, unknown> {
  const { issue } = publication;
  return {
    "@context": context,
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
    readingOrder: list.pages.map(({ contentType }, page) => ({
      href: pageAddress(addresses, issue.cvIssueId, page),
      type: streamedType(contentType),
    })),
    resources: [coverLink(publication, addresses)],
  };
}

/**
 * A recording, to be listened to online: a Readium manifest of the profile of audiobooks.
 * @param recording - its files and chapters; without it the file of the issue is all that plays
 */
export function audiobookManifest(
  publication: Publication,
  recording: CatalogRecording | undefined,
  addresses: Addresses,
): Record<string, unknown> {
  const { issue, hasCover } = publication;
  const tracks = tracksOf(publication, recording, addresses);
  const chapters = (recording?.chapters ?? []).flatMap(({ title, file, start }) => {
    const track = tracks[file];
    return track ? [{ href: `${track.href}#t=${start}`, title }] : [];
  });
  return {
    "@context": context,
    metadata: {
      ...metadataOf(publication, addresses),
      conformsTo: "https://readium.org/webpub-manifest/profiles/audiobook",
    },
    links: [
      { rel: "self", href: manifestAddress(addresses, issue.cvIssueId), type: audiobookType },
      ...progressionLinks(issue.cvIssueId, addresses),
    ],
    readingOrder: tracks,
    ...(hasCover && { resources: [coverLink(publication, addresses)] }),
    ...(chapters.length > 0 && { toc: chapters }),
  };
}

interface Track {
  readonly href: string;
  readonly type: string;
  readonly duration: number | undefined;
  readonly title?: string;
}

function tracksOf(
  { issue, file }: Publication,
  recording: CatalogRecording | undefined,
  addresses: Addresses,
): readonly Track[] {
  if (!recording) {
    const href = fileAddress(addresses, issue.cvIssueId, tidyFileName(issue, file.name));
    return [{ href, type: file.contentType, duration: issue.seconds }];
  }
  return recording.files.map(({ path, contentType, duration, title }) => ({
    href: `${addresses.origin}${path}`,
    type: contentType,
    duration,
    ...(title !== undefined && { title }),
  }));
}

function coverLink({ issue }: Publication, addresses: Addresses): Record<string, string> {
  return { rel: "cover", href: coverAddress(addresses, issue.cvIssueId, 1200), type: "image/jpeg" };
}

/**
 * Types that are converted to JPEG for a client that names none; types that cannot be converted, such as JPEG XL, are
 * sent as they are.
 */
const changedTypes = new Set(["image/webp", "image/avif", "image/tiff", "image/bmp"]);

/** The content type of a page for a client that names none. */
function streamedType(contentType: string): string {
  return changedTypes.has(contentType) ? "image/jpeg" : contentType;
}
