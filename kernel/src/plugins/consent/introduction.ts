import { Conflict } from "@longbox/sdk";
import { z } from "zod";
import { askSchema } from "./asks.js";
import { checksSchema } from "./signatures.js";

/** What an administrator sees of a version before it is installed. */
export const introductionSchema = z
  .object({
    /** The id in its manifest. */
    name: z.string(),
    package: z.string(),
    version: z.string(),
    title: z.string(),
    description: z.string(),
    /** The version that is installed now. */
    installed: z.string().optional(),
    /** Who has published it, as the registry says. */
    publishedBy: z.string().optional(),
    /** Whether it belongs to Longbox's own scope. */
    isFromThisHouse: z.boolean(),
    /** Of exactly these bytes; an installation with this value installs nothing else. */
    integrity: z.string(),
    checks: checksSchema,
    /** All that it asks for, or, for another version of an installed plugin, only what is new. */
    asks: z.array(askSchema),
    /** Whether the installation has to be confirmed with `accept`. */
    needsConsent: z.boolean(),
    /** Why its author advises against it. */
    deprecated: z.string().optional(),
    /** The sections of its changelog since the installed version, as Markdown. */
    changes: z.string().optional(),
  })
  .meta({ id: "PluginIntroduction" });
export type Introduction = z.output<typeof introductionSchema>;

/** What a plugin asks for has not been confirmed. `details` is the {@link Introduction}. */
export class NeedsConsent extends Conflict {
  constructor(introduction: Introduction) {
    const { package: name, version, asks } = introduction;
    super(
      "kernel/needs-consent",
      `"${name}" ${version} asks for what no administrator has accepted yet: ${asks.map(({ text }) => text).join(" ")}`,
      introduction,
    );
  }
}

/** What the audit trail says of an installation: what the plugin newly asks for. */
export function asksInWords(introduction: Introduction | undefined): { reason?: string } {
  if (!introduction || introduction.asks.length === 0) return {};
  const asked = introduction.asks.map(({ text }) => text).join(" ");
  return { reason: `${introduction.needsConsent ? "Accepted" : "New"}: ${asked}` };
}
