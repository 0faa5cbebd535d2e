import { z } from "zod";
import { defineRoute, type PluginSettings, type Route } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { Formats } from "../formats/formats.js";
import type { FilesSettings } from "../settings.js";
import { nameExamples, nameExampleSchema } from "./name-examples.js";
import { fileName, folderName, patternErrors, type NameParts } from "./pattern.js";

const example: NameParts = {
  publisher: "Lamplight",
  series: "Moth Patrol",
  year: 2019,
  volume: 1,
  issue: "7",
  title: "Lamp Oil",
  date: "2019-11-06",
  edition: "TPB",
  type: "comic",
};
export const namingPreviewSchema = z.object({
  folder: z.string(),
  file: z.string(),
  example: z.string(),
  errors: z.array(z.string()),
  examples: z.array(nameExampleSchema),
});

/** Shows what names patterns make. */
export function namingRoutes(
  settings: PluginSettings<FilesSettings>,
  library: { readonly collection: CollectionContract; readonly formats: Formats },
): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/naming/preview",
      access: "settings.manage",
      summary: "Show the names that patterns make, or what is wrong with them",
      description:
        "Patterns that are left out are those of the settings. `examples` are of series that are in the library. Tokens: {publisher} {series} {year} {volume} {issue} {issue:N} {title} {date} {edition} {type}.",
      body: z
        .object({ folderPattern: z.string().max(1000).optional(), filePattern: z.string().max(1000).optional() })
        .optional(),
      response: namingPreviewSchema,
      async handle({ body, viewer }) {
        const folderPattern = body?.folderPattern ?? settings.current.folderPattern;
        const filePattern = body?.filePattern ?? settings.current.filePattern;
        const errors = [...patternErrors(folderPattern, "folder"), ...patternErrors(filePattern, "file")];
        if (errors.length > 0) return { folder: "", file: "", example: "", errors, examples: [] };
        const folder = folderName(folderPattern, example) ?? "";
        const file = `${fileName(filePattern, example) ?? ""}.cbz`;
        return {
          folder,
          file,
          example: `${folder}/${file}`,
          errors,
          examples: await nameExamples(library, { folderPattern, filePattern }, viewer),
        };
      },
    }),
  ];
}
