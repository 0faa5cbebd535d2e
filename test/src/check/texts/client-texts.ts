/** The rule that texts of clients are messages, so that they can be translated. */
import type { Check } from "../check.js";
import { lineOf, readSources } from "../sources.js";
import { rawTexts } from "./raw-texts.js";

/** `examples/ui` is a book of samples of the kit: its texts are samples, too. */
const clients = /^(?:sdk\/src\/ui\/|(?:plugins|examples(?!\/ui\/))\/[\w-]+\/client\/src\/)/;

/** Texts that clients show are messages of `client/messages`: no literals in templates, shown attributes or dialogs. */
export const clientTextsCheck: Check = {
  name: "texts of clients are messages",
  async find(root) {
    const sources = await readSources(root, ["sdk/src", "plugins", "examples"], /(?<!\.d|\.test)\.ts$/);
    return sources
      .filter(({ path }) => clients.test(path))
      .flatMap(({ path, text: code }) =>
        rawTexts(path, code).map(
          ({ text, index }) => `${path}:${lineOf(code, index)} shows "${text}": make it a message.`,
        ),
      );
  },
};
