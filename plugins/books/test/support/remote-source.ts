import { RemoteBooks, type RemoteBook, type RemoteBookSource } from "@longbox/books/contract";
import { definePlugin, NotFound, type PluginDefinition } from "@longbox/sdk";
import type { ManifestInput } from "@longbox/sdk/manifest";

/** A source of books that a test controls. */
export interface RemoteShelf {
  readonly plugin: { manifest: ManifestInput; plugin: PluginDefinition; keywords: readonly string[] };
  /** The files by the ids of their books; null for one that the source has lost. */
  readonly files: Map<string, Uint8Array | null>;
  /** How often a book was asked for. */
  fetches: number;
  /** What the next request waits for, or fails of. */
  before: () => Promise<void>;
  /** Adds the source, or takes it back. */
  offer(isThere: boolean): void;
  /** Lists other books. */
  show(books: readonly RemoteBook[]): void;
}

/** Another plugin with one source of remote books. */
export function remoteShelf(): RemoteShelf {
  let offered: { release(): unknown } | undefined;
  let contribute = (): typeof offered => undefined;
  const listed: Listed = { books: [], tell: () => {} };
  const shelf: RemoteShelf = {
    files: new Map(),
    fetches: 0,
    before: async () => {},
    offer(isThere) {
      offered?.release();
      offered = isThere ? contribute() : undefined;
    },
    show(books) {
      listed.books = books;
      listed.tell();
    },
    plugin: {
      manifest,
      keywords: ["longbox-plugin"],
      plugin: definePlugin({
        activate(_, context) {
          contribute = () => context.contribute(RemoteBooks, source);
          offered = contribute();
        },
      }),
    },
  };
  const source = sourceOf(shelf, listed);
  return shelf;
}

interface Listed {
  books: readonly RemoteBook[];
  tell: () => void;
}

function sourceOf(shelf: RemoteShelf, listed: Listed): RemoteBookSource {
  return {
    id: "harbour",
    title: "The harbour library",
    list: async () => ({ books: listed.books, next: undefined }),
    async fetch(bookId) {
      shelf.fetches++;
      await shelf.before();
      const bytes = shelf.files.get(bookId);
      if (!bytes) throw new NotFound("far-shelf/lost", "It is gone.");
      return inPieces(bytes);
    },
    onChanged(listener) {
      listed.tell = listener;
      return { release: () => void (listed.tell = () => {}) };
    },
  };
}

const manifest: ManifestInput = {
  id: "far-shelf",
  title: "Far shelf",
  description: "Books of another server",
  sdk: "^1.0.0",
  contributes: { remoteBooks: "^1.0.0" },
};

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 500) yield bytes.subarray(at, at + 500);
}
