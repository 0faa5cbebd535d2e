import { Collection } from "@longbox/collection/contract";
import { Pages } from "@longbox/files/contract";
import { ReadingProgress, RenderedPages } from "@longbox/reader/contract";
import { definePlugin } from "@longbox/sdk";
import { AddedShelves } from "./catalog/added-shelves.js";
import { Catalog } from "./catalog/catalog.js";
import { IssueFeeds } from "./catalog/issue-feeds.js";
import { Publications } from "./catalog/publications.js";
import { CatalogShelves } from "./contract.js";
import { openIdentifiers } from "./identifiers.js";
import { opdsSettings } from "./opds-settings.js";
import { feedRoutes } from "./routes/feed-routes.js";
import { issueRoutes } from "./routes/issue-routes.js";
import { progressionRoutes } from "./routes/progression-routes.js";

export default definePlugin({
  requires: { library: Collection, pages: Pages, rendered: RenderedPages, progress: ReadingProgress },
  settings: opdsSettings,
  async activate(sources, context) {
    const identifiers = await openIdentifiers(context.storage);
    const publications = new Publications(sources);
    const issueFeeds = new IssueFeeds({ library: sources.library, publications });
    const added = new AddedShelves({ shelves: context.open(CatalogShelves), issueFeeds, log: context.log });
    context.routes([
      ...feedRoutes({ catalog: new Catalog({ ...sources, publications, issueFeeds, added }), identifiers }),
      ...issueRoutes({ ...sources, publications, identifiers, log: context.log, countsReading: () => context.settings.current.countStreamedPages }),
      ...progressionRoutes({ ...sources, identifiers }),
    ]);
  },
});
