import { ageRatingOf, type Credit, type IssueTags } from "./issue-tags.js";
import { readXmlTree, unlessRefused, type XmlElement } from "@longbox/sdk/xml";

/** Reads MetronInfo.xml; undefined when it is something else. */
export function readMetronInfo(bytes: Buffer): IssueTags | undefined {
  const root = unlessRefused(() => readXmlTree(bytes));
  if (root?.name !== "MetronInfo") return undefined;
  const series = child(root, "Series");
  const [year, month, day] = (textOf(root, "CoverDate") ?? "").split("-").map(Number);
  const urls = childrenOf(root, "URLs")
    .map((url) => url.text)
    .filter((url) => /^https?:\/\//i.test(url));
  return {
    series: series && textOf(series, "Name"),
    number: textOf(root, "Number"),
    volume: numberOf(series && (textOf(series, "StartYear") ?? textOf(series, "Volume"))),
    count: numberOf(series && textOf(series, "IssueCount")),
    title:
      childrenOf(root, "Stories")
        .map((story) => story.text)
        .join("; ") || textOf(root, "CollectionTitle"),
    summary: textOf(root, "Summary"),
    publisher: textOf(child(root, "Publisher"), "Name"),
    year: numberOf(year?.toString()),
    month: month !== undefined && month >= 1 && month <= 12 ? month : undefined,
    day: day !== undefined && day >= 1 && day <= 31 ? day : undefined,
    format: series && textOf(series, "Format"),
    credits: creditsOf(root),
    characters: namesIn(root, "Characters"),
    teams: namesIn(root, "Teams"),
    locations: namesIn(root, "Locations"),
    subjects: [...new Set([...namesIn(root, "Genres"), ...namesIn(root, "Tags")])],
    language: series?.attributes["lang"],
    ageRating: ageRatingOf(textOf(root, "AgeRating")),
    arcs: childrenOf(root, "Arcs").flatMap((arc) => textOf(arc, "Name") ?? []),
    url: urls[0],
    cvIssueId: numberOf(childrenOf(root, "IDS").find((id) => id.attributes["source"] === "Comic Vine")?.text),
    cvVolumeId: undefined,
    rightToLeft: undefined,
    frontCover: undefined,
  };
}

/** Where a file has both, MetronInfo knows ids and credits better, and ComicInfo pages and reading direction. */
export function mergeTags(comic: IssueTags | undefined, metron: IssueTags | undefined): IssueTags | undefined {
  if (!comic || !metron) return comic ?? metron;
  const known = (tags: IssueTags) =>
    Object.fromEntries(
      Object.entries(tags).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
    );
  const { credits, cvIssueId, url } = metron;
  return {
    ...metron,
    ...known(comic),
    ...(credits.length > 0 && { credits }),
    ...(cvIssueId !== undefined && { cvIssueId }),
    ...(url !== undefined && { url }),
  };
}

function creditsOf(root: XmlElement): Credit[] {
  return childrenOf(root, "Credits").flatMap((credit) => {
    const name = textOf(credit, "Creator");
    return name === undefined
      ? []
      : childrenOf(credit, "Roles").map((role) => ({ name, role: role.text.toLowerCase() }));
  });
}

function child(parent: XmlElement | undefined, name: string): XmlElement | undefined {
  return parent?.children.find((element) => element.name === name);
}

function childrenOf(parent: XmlElement, name: string): readonly XmlElement[] {
  return child(parent, name)?.children ?? [];
}

function namesIn(parent: XmlElement, name: string): string[] {
  return [
    ...new Set(
      childrenOf(parent, name)
        .map((element) => element.text)
        .filter((text) => text !== ""),
    ),
  ];
}

function textOf(parent: XmlElement | undefined, name: string): string | undefined {
  const text = child(parent, name)?.text;
  return text === "" ? undefined : text;
}

function numberOf(text: string | undefined): number | undefined {
  const number = text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : 0;
  return number > 0 ? number : undefined;
}
