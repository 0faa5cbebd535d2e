import { definePlugin } from "@longbox/sdk";
import { ArchiveReaders } from "@longbox/comics/contract";

export default definePlugin({
  activate(_, context) {
    context.contribute(ArchiveReaders, {
      id: "rar",
      title: "RAR",
      format: "cbr",
      extensions: ["cbr", "rar"],
      contentType: "application/vnd.comicbook-rar",
      // Version 4, and version 5.
      magic: ["526172211a0700", "526172211a070100"],
      module: context.workerUrl("read"),
    });
  },
});
