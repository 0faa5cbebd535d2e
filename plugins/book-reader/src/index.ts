import { Collection } from "@longbox/collection/contract";
import { definePlugin } from "@longbox/sdk";
import { readFrame } from "./frame.js";
import { preferences as preferencesMigration } from "./migrations/0001-preferences.js";
import { Preferences } from "./preferences.js";
import { bookReaderRoutes } from "./routes.js";
import { settings } from "./settings.js";
import type { BookReaderTables } from "./tables.js";

export default definePlugin({
  requires: { library: Collection },
  settings,
  migrations: [preferencesMigration],
  async activate({ library }, context) {
    const preferences = new Preferences(context.storage.database<BookReaderTables>());
    const frame = await readFrame(new URL("../client/dist/", import.meta.url));
    context.routes(
      bookReaderRoutes({
        library,
        preferences,
        frame,
        dictionary: () => context.settings.current.dictionary,
        tell: (userId) => context.changed("book-reader", { userIds: [userId] }),
      }),
    );
    context.onUserDeleted((userId) => preferences.forget(userId));
    context.onUserAdopted((change) => preferences.handOver(change));
  },
});
