import { z } from "zod";
import { patternErrors } from "./naming/pattern.js";

const pattern = (role: "folder" | "file") =>
  z.string().max(300).superRefine((text, check) => {
    for (const message of patternErrors(text, role)) check.addIssue({ code: "custom", message });
  });

export const filesSettings = z.object({
  folderPattern: pattern("folder").default("{series} ({year})").meta({ title: "Folders", description: "How the folder of a series is named, inside its library. Tokens: {publisher} {series} {year} {type}." }),
  filePattern: pattern("file").default("{series} {issue:3} ({year})").meta({ title: "Files", description: "How files are named. Tokens: {publisher} {series} {year} {volume} {issue} {issue:3} {title} {date} {edition} {type}; what is not known vanishes with its brackets." }),
  tagPlacement: z.enum(["embed", "sidecar"]).default("embed").meta({ title: "Tags", description: "Where tags are written: into the archive, or into a file beside it. A library may say sidecar for itself." }),
  importFolder: z.string().max(4096).default("").meta({ title: "Import folder", description: "Where comics wait to be sorted into a library; a folder of the server outside the libraries." }),
  scanAtStart: z.boolean().default(true).meta({ title: "Look for changes at start" }),
  watchFolders: z.boolean().default(true).meta({ title: "See changes as they happen", description: "Folders on other machines often do not report changes: scan them on a schedule instead." }),
});

export type FilesSettings = z.output<typeof filesSettings>;
