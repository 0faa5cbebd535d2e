import { z } from "zod";
import { patternErrors } from "./naming/pattern.js";

const pattern = (role: "folder" | "file") =>
  z
    .string()
    .max(300)
    .superRefine((text, check) => {
      for (const message of patternErrors(text, role)) check.addIssue({ code: "custom", message });
    });

export const filesSettings = z
  .object({
    folderPattern: pattern("folder").default("{series} ({year})").meta({
      title: "Folders",
      description:
        "How the folder of a series is named, inside its library. Tokens: {publisher} {series} {year} {type}.",
    }),
    filePattern: pattern("file").default("{series} {issue:3} ({year})").meta({
      title: "Files",
      description:
        "How files are named. Tokens: {publisher} {series} {year} {volume} {issue} {issue:3} {title} {date} {edition} {type}; what is not known vanishes with its brackets.",
    }),
    importFolder: z.string().max(4096).default("").meta({
      title: "Import folder",
      description: "Where files wait to be sorted into a library; a folder of the server outside the libraries.",
    }),
    scanAtStart: z.boolean().default(true).meta({ advanced: true, title: "Look for changes at start" }),
    inspectionSeconds: z.number().int().min(1).max(600).default(30).meta({
      advanced: true,
      title: "Longest time for one file (seconds)",
      description: "A file that takes longer than this to inspect is recorded as unreadable.",
    }),
    watchFolders: z.boolean().default(true).meta({
      title: "See changes as they happen",
      description: "Folders on other machines often do not report changes: scan them on a schedule instead.",
    }),
  })
  .meta({ task: "library" });

export type FilesSettings = z.output<typeof filesSettings>;
