// The settings of operations.
import { secretSetting } from "@longbox/sdk";
import { z } from "zod";

/** Where copies of backups go, and how they are kept there. */
const copySettings = {
  copyTo: z.enum(["none", "folder", "s3"]).default("none").meta({
    title: "Copy backups to",
    description:
      "Each backup is copied to a place outside of the data folder, read back, and restored for a trial. `folder`: a folder of this machine, such as of another disk. `s3`: a storage with the interface of Amazon S3.",
  }),
  copyFolder: z.string().max(4096).default("").meta({
    title: "Folder for copies",
    description: "An absolute path. The folder has to be there.",
  }),
  s3Url: z
    .union([z.literal(""), z.url({ protocol: /^https?$/ }).max(500)])
    .default("")
    .meta({
      title: "Address of the storage",
      description: "Without the bucket: https://s3.eu-central-1.amazonaws.com",
    }),
  s3Region: z.string().max(100).default("us-east-1").meta({ title: "Region" }),
  s3Bucket: z
    .string()
    .regex(
      /^([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])?$/,
      "must be the name of a bucket: 3 to 63 small letters, digits, dots and hyphens",
    )
    .default("")
    .meta({ title: "Bucket" }),
  s3Prefix: z
    .string()
    .regex(/^[A-Za-z0-9._/-]{0,200}$/, "may hold letters, digits, dots, hyphens, underscores and slashes")
    .default("")
    .meta({ title: "Before the names of copies", description: "Such as longbox/" }),
  s3KeyId: z.string().max(200).default("").meta({ title: "Access key" }),
  s3Secret: secretSetting({ title: "Secret access key" }),
  copyPassphrase: secretSetting({
    title: "Passphrase of copies",
    description:
      "Encrypts copies in the age format. Keep it elsewhere, too: without it, a copy cannot be restored. Empty: copies are not encrypted.",
  }),
  copyKeep: z.number().int().min(1).max(10_000).default(30).meta({ title: "Copies to keep" }),
  copyKeepDays: z.number().int().min(0).max(3650).default(0).meta({
    title: "Days to keep copies",
    description: "0: no copy is removed because of its age. The newest always stays.",
  }),
};

export const operationsSettings = z
  .object({
    ...copySettings,
    supportUrl: z
      .union([z.literal(""), z.url({ protocol: /^https?$/ })])
      .default("")
      .meta({
        title: "Support service",
        description: "Where support packages are sent. Empty: they can only be downloaded.",
      }),
    supportKey: secretSetting({ title: "Support service key" }),
    supportLimitMegabytes: z.number().int().min(1).max(500).default(25).meta({
      advanced: true,
      title: "Largest support package",
      description: "In megabytes; a larger one is not sent.",
    }),
  })
  .meta({ title: "Copies of backups, and support", task: "server", test: "/api/backup-copies/test" });

export type OperationsSettings = z.output<typeof operationsSettings>;
