import { definePlugin } from "@longbox/sdk";
import { LibraryTypes } from "@longbox/collection/contract";
import { FileFormats } from "@longbox/files/contract";

const inspector = new URL("./text-inspector.ts", import.meta.url).href;

const manifest = (id: string) => ({
  id,
  title: id,
  description: "For tests",
  sdk: "^1.0.0",
  contributes: { fileFormats: "^1.0.0", libraryTypes: "^1.0.0" },
});

/** Brings the type of library. */
export const textTypes = {
  manifest: manifest("text-types"),
  plugin: definePlugin({
    activate(_, context) {
      context.contribute(LibraryTypes, { id: "text", label: "Texts" });
    },
  }),
};

/** Brings a format for it, whose inspector does what the files say. */
export const textFormat = textFormatAfter(async () => undefined);

/** The same. @param ready - what its start waits for */
export function textFormatAfter(ready: () => Promise<void>) {
  return {
    manifest: manifest("text-format"),
    plugin: definePlugin({
      async activate(_, context) {
        await ready();
        context.contribute(FileFormats, {
          id: "text",
          libraryTypes: ["text"],
          extensions: ["txt"],
          companions: ["notes"],
          contentType: "text/plain",
          inspector,
        });
      },
    }),
  };
}

/** Two formats for it. @param pauseMs - how long after the first the second comes */
export function twoTextFormats(pauseMs: number) {
  return {
    manifest: manifest("two-formats"),
    plugin: definePlugin({
      activate(_, context) {
        const add = (id: string) =>
          context.contribute(FileFormats, {
            id,
            libraryTypes: ["text"],
            extensions: ["txt"],
            contentType: "text/plain",
            inspector,
          });
        add("text");
        setTimeout(() => add("marked"), pauseMs);
      },
    }),
  };
}

/** A second format with the same endings, for what the first one does not take. */
export const markedFormat = {
  manifest: manifest("marked-format"),
  plugin: definePlugin({
    activate(_, context) {
      context.contribute(FileFormats, {
        id: "marked",
        libraryTypes: ["text"],
        extensions: ["txt"],
        contentType: "text/plain",
        inspector,
      });
    },
  }),
};

/** A format whose inspector's module is not there. */
export const brokenFormat = {
  manifest: manifest("broken-format"),
  plugin: definePlugin({
    activate(_, context) {
      context.contribute(FileFormats, {
        id: "broken",
        libraryTypes: ["text"],
        extensions: ["odd"],
        contentType: "text/plain",
        inspector: new URL("./nothing-here.ts", import.meta.url).href,
      });
    },
  }),
};
