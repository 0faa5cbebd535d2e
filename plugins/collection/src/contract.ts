export { Collection } from "./collection-contract.js";
export type { CollectionContract, Page } from "./collection-contract.js";
export { LibraryTypes } from "./libraries/library-contract.js";
export type {
  DescribedLibraryType,
  Library,
  LibraryType,
  LibraryTypeContribution,
  LibraryTypeWords,
} from "./libraries/library-contract.js";
export { SeriesFacets } from "./series/series-contract.js";
export type {
  ListedSeriesFacet,
  Series,
  SeriesFacet,
  SeriesFacetValue,
  SeriesQuery,
} from "./series/series-contract.js";
export { titleOrder } from "./series/title-order.js";
export { SearchProviders } from "./searching/search-contract.js";
export type { SearchHit, SearchProvider, SearchQuestion } from "./searching/search-contract.js";
export { issueHit, seriesHit } from "./searching/hits.js";
export { scoreTitle, titleWorth, wordsOfTitle, wordWorth, worthInPlace } from "./searching/title-score.js";
export { IssueGetters } from "./issues/issue-contract.js";
export type {
  CatalogIssue,
  Holding,
  Issue,
  IssueDetail,
  IssueGetter,
  IssueLabel,
  WantedIssue,
} from "./issues/issue-contract.js";
export type { IssueKind } from "./issues/issue-kind.js";
export { foldIssueNumber, kindOfSeries } from "./issues/issue-number.js";
export { numberLabel } from "./issues/number-label.js";
export type { PlacedFile, ReadFile } from "./placing/placing-contract.js";
export { Works } from "./works/works-contract.js";
export type { Work, WorksContract } from "./works/works-contract.js";
export { Covers, CoverSources } from "./covers/covers-contract.js";
export type { CoverQuestion, CoversContract, CoverShape, CoverSource, CoverSubject } from "./covers/covers-contract.js";
export { Catalog } from "./catalog/catalog-contract.js";
export type {
  AddVolumeRequest,
  CatalogContract,
  ProviderIssue,
  ProviderIssueDetail,
  ProviderVolume,
  IssueEvidence,
  SeriesEvidence,
  SeriesRange,
} from "./catalog/catalog-contract.js";
export type { AddWorkRequest, BeforeWork, ProviderWork, WorkCatalogContract } from "./catalog/work-catalog-contract.js";
