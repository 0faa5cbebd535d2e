import { Collection } from "@longbox/collection/contract";
import { FilesContent } from "@longbox/files/contract";
import { Reading } from "@longbox/reading/contract";
import { definePlugin, KernelUsers } from "@longbox/sdk";
import { accountRoutes } from "./account-routes.js";
import { Documents } from "./documents.js";
import { Passwords } from "./passwords.js";
import { protocolRoutes } from "./protocol-routes.js";
import { Reports } from "./reports.js";
import { Syncing } from "./syncing.js";
import { firstTables, type SyncTables } from "./tables.js";

export default definePlugin({
  requires: { library: Collection, files: FilesContent, reading: Reading, users: KernelUsers },
  migrations: [firstTables],
  activate({ users, ...sources }, context) {
    const database = context.storage.database<SyncTables>();
    const passwords = new Passwords(database, users);
    const reports = new Reports(database);
    const syncing = new Syncing({ documents: new Documents(sources), reading: sources.reading, reports });
    context.routes([...protocolRoutes(passwords, syncing), ...accountRoutes(passwords, reports)]);
    const forget = async (userId: number) => {
      await passwords.revoke(userId);
      await reports.forget(userId);
    };
    context.onUserDeleted(forget);
    context.onUserAdopted(({ from }) => forget(from));
  },
});
