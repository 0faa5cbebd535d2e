// What the extension points of files take.
import type { ContributionRules } from "@longbox/sdk";
import { z } from "zod";
import type { FileFormat, FileHolder } from "./contract.js";

const extension = z
  .string()
  .regex(/^[^.\sA-Z/]+(?:\.[^.\sA-Z/]+)*$/, "must be in lower case, without the dot before it");

/** Library types may have a format each under one id, such as `txt`. */
export const formatRules: ContributionRules<FileFormat> = {
  schema: z.object({
    id: z.string().regex(/^[a-z0-9-]{1,64}$/, "must be lower-case letters, digits and hyphens"),
    libraryTypes: z.array(z.string().min(1)).min(1),
    extensions: z.array(extension),
    companions: z.array(z.string().min(1)).optional(),
    contentType: z.string().regex(/^[\w.+-]+\/[\w.+-]+$/, "must be a media type such as application/zip"),
    inspector: z.url({ protocol: /^file$/, error: "must be the URL of a worker: context.workerUrl(name)" }),
    verify: z.function().optional(),
    digest: z.function().optional(),
    cover: z.function().optional(),
  }),
};

export const holderRules: ContributionRules<FileHolder> = {
  schema: z.object({
    prefix: z.string().regex(/^[^/]/, "must begin with anything but a slash, such as remote:"),
    send: z.function(),
  }),
  unique: "prefix",
};
