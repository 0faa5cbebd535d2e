import { z } from "zod";

export const settings = z
  .object({
    dictionary: z
      .string()
      .max(500)
      .refine((address) => address === "" || (/^https?:\/\//i.test(address) && address.includes("{word}")), {
        error: "Enter an address that begins with http:// or https:// and contains {word}, or nothing.",
      })
      .default("")
      .meta({
        title: "Dictionary",
        description:
          "The address at which readers of books look up a word, with {word} in its place, such as https://en.wiktionary.org/wiki/{word}. Empty: books offer no dictionary. The word that a user looks up is sent to this server.",
      }),
  })
  .meta({ title: "Reading books", task: "reading" });
