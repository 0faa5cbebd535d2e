import { z } from "zod";

export const flows = ["book", "paged", "scrolled"] as const;
export const themes = ["paper", "sepia", "dark", "black"] as const;
export const fonts = ["book", "serif", "sans", "mono"] as const;
export const alignments = ["book", "justify", "start"] as const;

/**
 * How a user wants books to be shown. Every field has a default, so that stored values of earlier versions stay valid.
 */
export const layoutSchema = z.object({
  flow: z.enum(flows).default("book").meta({ description: "`book`: as the book asks, in pages where it does not" }),
  theme: z.enum(themes).default("paper"),
  font: z.enum(fonts).default("book").meta({ description: "`book`: the fonts of the book" }),
  fontSize: z.number().int().min(50).max(300).default(100).meta({ description: "In percent" }),
  lineHeight: z.number().int().min(100).max(250).default(150).meta({ description: "In percent of the font size" }),
  margin: z.number().int().min(0).max(25).default(8).meta({ description: "On each side, in percent of the page" }),
  alignment: z.enum(alignments).default("book"),
  hyphenation: z.boolean().default(true),
  columns: z.number().int().min(0).max(3).default(0).meta({ description: "0: as many as fit" }),
  speechRate: z.number().min(0.5).max(3).default(1),
  voice: z.string().max(200).default("").meta({ description: "Name of a voice of the browser; empty: its default" }),
});
export type Layout = z.output<typeof layoutSchema>;

/** A change of some fields, without the defaults, which would reset those that are left out. */
export const layoutChangeSchema = z.object(
  Object.fromEntries(
    Object.entries(layoutSchema.shape).map(([name, field]) => [name, field.removeDefault().optional()]),
  ),
);
