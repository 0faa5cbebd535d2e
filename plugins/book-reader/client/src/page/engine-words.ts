/** What the engine says in its frame, in the language of the page. */
import { t } from "@longbox/sdk/ui";
import type { EngineWords } from "../protocol.js";

export const engineWords: EngineWords = {
  note: t("engineWords.note"),
  closeNote: t("engineWords.closeNote"),
  page: t("engineWords.page", { page: "#" }),
  text: t("engineWords.text"),
  recordingFails: t("engineWords.recordingFails"),
};
