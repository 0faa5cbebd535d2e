import { Collection } from "@longbox/collection/contract";
import { Pages } from "@longbox/files/contract";
import { ReadingProgress, RenderedPages } from "@longbox/reader/contract";
import { definePlugin } from "@longbox/sdk";
import { Catalog } from "./catalog/catalog.js";
import { Publications } from "./catalog/publications.js";
import { opdsSettings } from "./opds-settings.js";
import { feedRoutes } from "./routes/feed-routes.js";
import { issueRoutes } from "./routes/issue-routes.js";

export default definePlugin({
  requires: { library: Collection, pages: Pages, rendered: RenderedPages, progress: ReadingProgress },
  settings: opdsSettings,
  activate(sources, context) {
    const publications = new Publications(sources);
    context.routes([
      ...feedRoutes(new Catalog({ ...sources, publications })),
      ...issueRoutes({ ...sources, publications, log: context.log, countsReading: () => context.settings.current.countStreamedPages }),
    ]);
  },
});
