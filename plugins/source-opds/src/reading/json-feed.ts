import { z } from "zod";
import { instantOf, mostAuthors, mostEntries, mostLinks, type Feed, type FeedEntry, type FeedLink } from "./feed.js";

const deepest = 12;
/** Images stand in a list of their own, the best one first; in the older version they are links. */
const imageRel = "http://opds-spec.org/image";
const text = z.string().max(8_192).catch("");
const rels = z.union([z.string(), z.array(z.string())]).catch("");
const linkSchema = z.object({
  rel: rels.optional(),
  href: text,
  type: text.optional(),
  title: text.optional(),
  size: z.number().int().positive().optional().catch(undefined),
});
const links = z.array(linkSchema).catch([]).optional();
const person = z.union([z.string().max(500), z.object({ name: z.string().max(500) }).transform(({ name }) => name)]);
const people = z
  .union([person.transform((one) => [one]), z.array(person)])
  .catch([])
  .optional();
const language = z.union([z.string(), z.array(z.string()).transform(([first = ""]) => first)]).catch("");
const metadata = z
  .object({
    title: text.optional(),
    identifier: text.optional(),
    modified: text.optional(),
    author: people,
    language: language.optional(),
    description: text.optional(),
  })
  .catch({});
const publication = z.object({ metadata: metadata.optional(), links, images: links });
const list = { navigation: links, publications: z.array(publication).catch([]).optional() };
const feedSchema = z.object({
  metadata: metadata.optional(),
  links,
  ...list,
  groups: z.array(z.object(list)).catch([]).optional(),
});

/** @throws {Error} with a sentence for a person */
export function readJsonFeed(bytes: Uint8Array): Feed {
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (depthOf(value) > deepest) throw new Error("The answer nests deeper than a catalog does.");
  const read = feedSchema.safeParse(value);
  if (!read.success || (!read.data.metadata && !read.data.links)) throw new Error("The answer is not a catalog.");
  const parts = [read.data, ...(read.data.groups ?? [])];
  return {
    title: read.data.metadata?.title ?? "",
    links: linksOf(read.data.links),
    entries: parts.flatMap((part) => [...navigationOf(part), ...publicationsOf(part)]).slice(0, mostEntries),
  };
}

type Part = Pick<z.output<typeof feedSchema>, "navigation" | "publications">;

const navigationOf = ({ navigation = [] }: Part): FeedEntry[] =>
  navigation.map((link) => ({
    id: link.href,
    title: link.title ?? "",
    updated: undefined,
    authors: [],
    language: undefined,
    summary: undefined,
    links: linksOf([{ ...link, rel: "subsection" }]),
  }));

const publicationsOf = ({ publications = [] }: Part): FeedEntry[] =>
  publications.map(({ metadata: said, links: given = [], images = [] }) => ({
    id: said?.identifier ?? "",
    title: said?.title ?? "",
    updated: instantOf(said?.modified),
    authors: (said?.author ?? []).slice(0, mostAuthors),
    language: said?.language,
    summary: said?.description,
    links: linksOf([...given, ...images.slice(0, 1).map((image) => ({ ...image, rel: imageRel }))]),
  }));

function linksOf(given: z.output<typeof links> = []): FeedLink[] {
  return given
    .slice(0, mostLinks)
    .flatMap(({ rel = "", href, type = "", size }) =>
      (Array.isArray(rel) ? rel : [rel]).map((one) => ({ rel: one, href, type, length: size })),
    );
}

/** Without recursion, since the answer comes from outside. */
function depthOf(value: unknown): number {
  let level: unknown[] = [value];
  let depth = 0;
  while (level.length > 0 && depth <= deepest) {
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
    depth += 1;
  }
  return depth;
}
