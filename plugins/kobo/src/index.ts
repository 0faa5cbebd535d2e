import { Collection, Covers } from "@longbox/collection/contract";
import { FilesContent } from "@longbox/files/contract";
import { Lists } from "@longbox/lists/contract";
import { Reading } from "@longbox/reading/contract";
import { definePlugin, inProtocol } from "@longbox/sdk";
import { Shelves } from "@longbox/shelves/contract";
import { Choices } from "./choosing/choices.js";
import { OfferedShelves } from "./choosing/offered-shelves.js";
import { Devices } from "./devices/devices.js";
import { BookIds } from "./documents/book-ids.js";
import { accountRoutes } from "./routes/account-routes.js";
import { bookRoutes } from "./routes/book-routes.js";
import { storeRoutes } from "./routes/store-routes.js";
import { syncRoutes } from "./routes/sync-routes.js";
import { Books } from "./syncing/books.js";
import { Ledger } from "./syncing/ledger.js";
import { Reporting } from "./syncing/reporting.js";
import { Syncing } from "./syncing/syncing.js";
import { firstTables, type KoboTables } from "./tables.js";

export default definePlugin({
  requires: { library: Collection, covers: Covers, files: FilesContent, reading: Reading },
  optional: { lists: Lists, shelves: Shelves },
  migrations: [firstTables],
  async activate({ library, covers, files, reading, lists, shelves }, context) {
    const database = context.storage.database<KoboTables>();
    const [devices, choices, ledger] = [new Devices(database), new Choices(database), new Ledger(database)];
    const offered = new OfferedShelves({ library, reading, lists, shelves });
    const books = new Books({ library, files, reading });
    const parts = { devices, ids: await BookIds.open(database), books, ledger, files, covers };
    const syncing = new Syncing({ books, choices, offered, ledger });
    const reporting = new Reporting({ reading, ledger });
    const protocol = [...syncRoutes({ ...parts, syncing, reporting }), ...bookRoutes(parts), ...storeRoutes()];
    context.routes([
      ...inProtocol({ credentials: devices.scheme }, protocol),
      ...accountRoutes({ devices, choices, offered }),
    ]);
    context.onUserDeleted(async (userId) => {
      await devices.forgetUser(userId);
      await choices.forgetUser(userId);
    });
    context.onUserAdopted(async (change) => {
      await devices.handOver(change);
      await choices.handOver(change);
    });
  },
});
