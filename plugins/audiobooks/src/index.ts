import { LibraryTypes } from "@longbox/collection/contract";
import { definePlugin } from "@longbox/sdk";

export default definePlugin({
  activate(_, context) {
    context.contribute(LibraryTypes, {
      id: "audiobook",
      label: "Audiobooks",
      words: { unit: { one: "audiobook", other: "audiobooks" }, length: "seconds", named: "by-title" },
    });
  },
});
