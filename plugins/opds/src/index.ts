import { Collection, Covers } from "@longbox/collection/contract";
import { Pages, RenderedPages } from "@longbox/comics/contract";
import { FilesContent } from "@longbox/files/contract";
import { Reading } from "@longbox/reading/contract";
import { definePlugin } from "@longbox/sdk";
import { recordingRules, shelfRules } from "./contribution-rules.js";
import { AddedShelves } from "./catalog/added-shelves.js";
import { Catalog } from "./catalog/catalog.js";
import { IssueFeeds } from "./catalog/issue-feeds.js";
import { Publications } from "./catalog/publications.js";
import { CatalogShelves, RecordingSources } from "./contract.js";
import { openIdentifiers } from "./identifiers.js";
import { opdsSettings } from "./opds-settings.js";
import { coverRoutes } from "./routes/cover-routes.js";
import { feedRoutes } from "./routes/feed-routes.js";
import { issueRoutes } from "./routes/issue-routes.js";
import { pageRoutes } from "./routes/page-routes.js";
import { progressionRoutes } from "./routes/progression-routes.js";
import { StreamedPages } from "./streamed-pages.js";

export default definePlugin({
  requires: { library: Collection, covers: Covers, files: FilesContent, reading: Reading },
  optional: { pages: Pages, rendered: RenderedPages },
  settings: opdsSettings,
  async activate({ pages, rendered, ...required }, context) {
    const identifiers = await openIdentifiers(context.storage);
    const sources = { ...required, identifiers, streamed: new StreamedPages({ pages, rendered }) };
    const publications = new Publications(sources);
    const issueFeeds = new IssueFeeds({ library: sources.library, publications });
    const added = new AddedShelves({ shelves: context.open(CatalogShelves, shelfRules), issueFeeds, log: context.log });
    const countsReading = () => context.settings.current.countStreamedPages;
    context.routes([
      ...feedRoutes({ catalog: new Catalog({ ...sources, publications, issueFeeds, added }), identifiers }),
      ...issueRoutes({ ...sources, publications, recordings: context.open(RecordingSources, recordingRules) }),
      ...pageRoutes({ ...sources, log: context.log, countsReading }),
      ...coverRoutes(sources),
      ...progressionRoutes(sources),
    ]);
  },
});
