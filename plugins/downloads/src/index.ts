import { definePlugin } from "@longbox/sdk";
import { DownloadClients, DownloadSources, Indexers, SourceTests } from "./contract.js";

export default definePlugin({
  activate(_, context) {
    context.open(DownloadSources);
    context.open(Indexers);
    context.open(DownloadClients);
    context.open(SourceTests);
  },
});
