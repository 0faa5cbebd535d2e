import { definePlugin } from "@longbox/sdk";
import { ArchiveReaders } from "@longbox/comics/contract";

export default definePlugin({
  activate(_, context) {
    context.contribute(ArchiveReaders, {
      id: "7z",
      title: "7z",
      format: "cb7",
      extensions: ["cb7", "7z"],
      contentType: "application/x-cb7",
      magic: ["377abcaf271c"],
      // Deflate64, bzip2, LZMA and PPMd.
      zipMethods: [9, 12, 14, 98],
      module: context.workerUrl("read"),
    });
  },
});
