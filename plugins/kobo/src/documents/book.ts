import { hash } from "node:crypto";
import type { Issue, IssueDetail } from "@longbox/collection/contract";
import type { WholeFile } from "@longbox/files/contract";
import type { ReadingState } from "@longbox/reading/contract";

/** All that an e-reader is told of a book. */
export interface Book {
  readonly issue: Issue;
  readonly file: WholeFile;
  readonly detail: IssueDetail | undefined;
  readonly isbn: string | undefined;
  /** Changes with the contents of the file. */
  readonly fingerprint: string;
  readonly state: ReadingState | undefined;
}

/** Where things are, for one device. */
export interface Addresses {
  /** The device's own address, without a slash at the end. */
  readonly endpoint: string;
  idOf(issueId: number): string;
}

const noCategory = "00000000-0000-0000-0000-000000000001";
const writing = /^(writer|author|novelist)$/i;

/** A book as the shop describes one. */
export function bookMetadata(book: Book, { endpoint, idOf }: Addresses) {
  const { issue, file, detail, isbn } = book;
  const id = idOf(issue.id);
  const authors = [
    ...new Set((detail?.credits ?? []).filter(({ role }) => writing.test(role)).map(({ name }) => name)),
  ];
  return {
    Categories: [noCategory],
    ContributorRoles: authors.map((Name) => ({ Name })),
    Contributors: authors,
    CoverImageId: id,
    CrossRevisionId: id,
    CurrentDisplayPrice: { CurrencyCode: "USD", TotalAmount: 0 },
    CurrentLoveDisplayPrice: { TotalAmount: 0 },
    ...(detail?.description !== undefined && { Description: detail.description }),
    DownloadUrls: [
      { Format: formatOf(file), Size: file.sizeBytes, Url: `${endpoint}/v1/books/${id}/file`, Platform: "Generic" },
    ],
    EntitlementId: id,
    ExternalIds: [],
    Genre: noCategory,
    IsEligibleForKoboLove: false,
    IsInternetArchive: false,
    IsPreOrder: false,
    IsSocialEnabled: true,
    ...(isbn !== undefined && { Isbn: isbn }),
    Language: issue.language?.slice(0, 2).toLowerCase() ?? "en",
    PhoneticPronunciations: {},
    ...(issue.coverDate !== undefined && { PublicationDate: publicationDate(issue.coverDate) }),
    ...(issue.publisher !== undefined && { Publisher: { Imprint: "", Name: issue.publisher } }),
    RevisionId: id,
    ...seriesOf(issue, idOf),
    Title: titleOf(issue),
    WorkId: id,
  };
}

/** A file with KEPUB's own marks is named so, and opens in the better of the e-reader's two programs. */
const formatOf = ({ name }: WholeFile): "KEPUB" | "EPUB3" => (/\.kepub(\.epub)?$/i.test(name) ? "KEPUB" : "EPUB3");

const titleOf = ({ title, label }: Issue): string => title ?? label.full;

function seriesOf(issue: Issue, idOf: Addresses["idOf"]) {
  const { seriesTitle, number, seriesId } = issue;
  if (number === "" || seriesTitle === titleOf(issue)) return {};
  const place = Number.parseFloat(number);
  return {
    Series: {
      Id: idOf(2 ** 47 + seriesId),
      Name: seriesTitle,
      Number: number,
      NumberFloat: Number.isFinite(place) ? place : 0,
    },
  };
}

/** Dates of issues can lack their day, or their month. */
function publicationDate(date: string): string {
  const [year, month = "01", day = "01"] = date.split("-");
  return `${year}-${month}-${day}T00:00:00Z`;
}

export function bookEntitlement({ issue }: Pick<Book, "issue">, { idOf }: Addresses) {
  return entitlement(idOf(issue.id), { isRemoved: false, created: issue.addedAt });
}

/** Tells nothing of the book but its id: it may be hidden by now. */
export const removedEntitlement = (issueId: number, { idOf }: Addresses) =>
  entitlement(idOf(issueId), { isRemoved: true, created: new Date().toISOString() });

function entitlement(id: string, { isRemoved, created }: { readonly isRemoved: boolean; readonly created: string }) {
  const now = instant(new Date().toISOString());
  return {
    Accessibility: "Full",
    ActivePeriod: { From: now },
    Created: instant(created),
    CrossRevisionId: id,
    Id: id,
    IsHiddenFromArchive: false,
    IsLocked: false,
    IsRemoved: isRemoved,
    LastModified: now,
    OriginCategory: "Imported",
    RevisionId: id,
    Status: "Active",
  };
}

/** Seconds are the finest that a Kobo reads. @param at - ISO 8601 */
export const instant = (at: string): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** Changes with what {@link bookMetadata} tells and with the file. */
export function revisionOf({ issue, file, detail, isbn, fingerprint }: Book): string {
  const told = [
    [titleOf(issue), issue.seriesTitle, issue.number, issue.language, issue.coverDate, issue.publisher],
    [detail?.description, detail?.credits, isbn, file.name, file.sizeBytes, fingerprint],
  ];
  return hash("sha256", JSON.stringify(told)).slice(0, 32);
}
