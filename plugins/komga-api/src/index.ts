import { Collection, Covers } from "@longbox/collection/contract";
import { Pages, RenderedPages } from "@longbox/comics/contract";
import { FilesContent } from "@longbox/files/contract";
import { Lists } from "@longbox/lists/contract";
import { Reading } from "@longbox/reading/contract";
import { definePlugin } from "@longbox/sdk";
import { bookRoutes } from "./routes/book-routes.js";
import { libraryRoutes } from "./routes/library-routes.js";
import { pageRoutes } from "./routes/page-routes.js";
import { progressRoutes } from "./routes/progress-routes.js";
import { readListRoutes } from "./routes/read-list-routes.js";
import { referenceRoutes } from "./routes/reference-routes.js";
import { searchRoutes } from "./routes/search-routes.js";
import { seriesRoutes } from "./routes/series-routes.js";
import { Books } from "./shelving/books.js";
import { Shelf } from "./shelving/shelf.js";

export default definePlugin({
  requires: {
    library: Collection,
    covers: Covers,
    files: FilesContent,
    pages: Pages,
    rendered: RenderedPages,
    reading: Reading,
  },
  optional: { lists: Lists },
  activate({ lists, ...required }, context) {
    const shelf = new Shelf(required.library);
    for (const following of shelf.follow()) context.own(following);
    const sources = { ...required, lists, shelf, books: new Books(required) };
    context.routes([
      ...libraryRoutes(required.library),
      ...seriesRoutes(sources),
      ...bookRoutes(sources),
      ...searchRoutes(sources),
      ...pageRoutes(sources),
      ...progressRoutes(sources),
      ...readListRoutes(sources),
      ...referenceRoutes(shelf),
    ]);
  },
});
