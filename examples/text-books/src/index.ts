import { Collection, CoverSources, LibraryTypes } from "@longbox/collection/contract";
import { FileFormats, FilesContent, FilesEngine } from "@longbox/files/contract";
import { CatalogShelves } from "@longbox/opds/contract";
import { Reading } from "@longbox/reading/contract";
import { definePlugin } from "@longbox/sdk";
import { coverBeside } from "./cover-beside.js";
import { textBookRoutes } from "./routes.js";
import { textBookShelf } from "./shelf.js";
import { TextBooks } from "./text-books.js";

/** The library type: its words are used by every list, page and feed that shows a book. */
const libraryType = {
  id: "text",
  label: "Text books",
  words: { unit: { one: "book", other: "books" }, length: "fraction", named: "by-title" },
} as const;

export default definePlugin({
  requires: { library: Collection, files: FilesContent, engine: FilesEngine, reading: Reading },
  activate({ library, files, engine, reading }, context) {
    context.contribute(LibraryTypes, libraryType);
    context.contribute(FileFormats, {
      id: "txt",
      libraryTypes: [libraryType.id],
      extensions: ["txt"],
      companions: ["jpg"],
      contentType: "text/plain",
      inspector: context.workerUrl("inspect"),
    });
    context.contribute(CoverSources, coverBeside(files));
    context.contribute(CatalogShelves, textBookShelf(library, libraryType.id));
    context.routes(textBookRoutes(new TextBooks({ library, files, engine, reading })));
  },
});
