export type { Protocol, Release, ReleaseQuery, Resting, SearchControl, TestOutcome } from "./contract/releases.js";
export { DownloadSources, Indexers, SourceTests } from "./contract/sources.js";
export type {
  DirectDownload,
  DownloadPlace,
  DownloadSource,
  Grab,
  Indexer,
  Searchable,
  SourceTest,
  WatchControl,
} from "./contract/sources.js";
export { DownloadClients } from "./contract/clients.js";
export type { ClientDownload, ClientFailure, ClientOrder, DownloadClient } from "./contract/clients.js";
export { Downloads, searchResultSchema } from "./contract/downloads.js";
export type { DownloadsContract, SearchRequest, SearchResult } from "./contract/downloads.js";
