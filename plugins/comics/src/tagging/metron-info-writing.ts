import type { IssueDetail } from "@longbox/collection/contract";
import { elementOf, elementsOf, textOfNode, xmlLines, xmlNode, type XmlNode } from "../tags/xml-nodes.js";
import { plainNumberOf, type TaggedIssue } from "./comic-info-writing.js";
import { metronDate, metronFormat, metronRoles } from "./metron-values.js";

type Attributes = Readonly<Record<string, string | undefined>>;

/**
 * Writes MetronInfo.xml 1.0: known values replace those of the file, and everything else in it is kept, ids of names
 * that stay among it.
 * @param former - The document so far
 */
export function metronInfoText(tagged: TaggedIssue, former: XmlNode | undefined): string {
  const known = knownElements(tagged, former);
  const kept = elementsOf(former).map((element) => known.get(element.name) ?? element);
  const names = new Set(kept.map(({ name }) => name));
  const added = [...known.values()].filter((element) => element !== undefined && !names.has(element.name));
  const root = xmlNode(
    "MetronInfo",
    [...kept, ...added.filter((element) => element !== undefined)],
    former?.attributes,
  );
  return `<?xml version="1.0" encoding="utf-8"?>\n${xmlLines(root).join("\n")}\n`;
}

/** In the order of the schema, though it allows any. */
function knownElements(tagged: TaggedIssue, former: XmlNode | undefined): Map<string, XmlNode | undefined> {
  const { issue, detail, series } = tagged;
  const simple = (name: string, value: string | undefined) => (value ? xmlNode(name, value) : undefined);
  const elements = [
    idsOf(issue.cvIssueId, elementOf(former, "IDS")),
    publisherOf(series.publisher, elementOf(former, "Publisher")),
    seriesOf(tagged, elementOf(former, "Series")),
    simple("Number", plainNumberOf(issue)),
    storiesOf(issue.title, former),
    simple("Summary", detail?.description),
    simple("CoverDate", metronDate(issue.coverDate)),
    simple("StoreDate", metronDate(detail?.storeDate)),
    simple("PageCount", tagged.pages > 0 ? String(tagged.pages) : undefined),
    arcsOf(detail?.arcs, elementOf(former, "Arcs")),
    namesOf({ list: "Characters", item: "Character" }, detail?.characters, former),
    namesOf({ list: "Teams", item: "Team" }, detail?.teams, former),
    namesOf({ list: "Locations", item: "Location" }, detail?.locations, former),
    urlsOf(tagged, elementOf(former, "URLs")),
    creditsOf(detail?.credits, elementOf(former, "Credits")),
  ];
  return new Map(elements.filter((element) => element !== undefined).map((element) => [element.name, element]));
}

/** Ids of other sources stay, and the primary one is still the same; the first of all is primary. */
function idsOf(cvIssueId: number, former: XmlNode | undefined): XmlNode | undefined {
  if (cvIssueId <= 0) return undefined;
  const source = "Comic Vine";
  const before = elementsOf(former);
  const own = before.find(({ attributes }) => attributes["source"] === source);
  const primary = before.length === 0 ? "true" : own?.attributes["primary"];
  const id = xmlNode("ID", String(cvIssueId), { source, primary });
  return xmlNode("IDS", own ? before.map((other) => (other === own ? id : other)) : [...before, id]);
}

/** The id and the imprint belong to the publisher of that name. */
function publisherOf(name: string | undefined, former: XmlNode | undefined): XmlNode | undefined {
  if (name === undefined || textOfNode(elementOf(former, "Name")) === name) return former;
  return xmlNode("Publisher", [xmlNode("Name", name)]);
}

function seriesOf({ series, issue }: TaggedIssue, former: XmlNode | undefined): XmlNode {
  const isSame = textOfNode(elementOf(former, "Name")) === series.title;
  const known = new Map<string, XmlNode>([["Name", xmlNode("Name", series.title)]]);
  const format = metronFormat(issue);
  if (format !== undefined) known.set("Format", xmlNode("Format", format));
  if (series.year !== undefined) known.set("StartYear", xmlNode("StartYear", String(series.year).padStart(4, "0")));
  const kept = isSame ? elementsOf(former) : [];
  const names = new Set(kept.map((element) => element.name));
  const content = [
    ...kept.map((element) => known.get(element.name) ?? element),
    ...[...known.values()].filter((element) => !names.has(element.name)),
  ];
  return xmlNode("Series", content, isSame ? former?.attributes : { lang: former?.attributes["lang"] });
}

/** Several stories read as one title are not replaced by it; a collection's title stays where it is. */
function storiesOf(title: string | undefined, former: XmlNode | undefined): XmlNode | undefined {
  const stories = elementOf(former, "Stories");
  if (title === undefined || textOfNode(elementOf(former, "CollectionTitle")) === title) return stories;
  const joined = elementsOf(stories).map(textOfNode).join("; ");
  return joined === title ? stories : xmlNode("Stories", [xmlNode("Story", title)]);
}

function namesOf(
  { list, item }: { readonly list: string; readonly item: string },
  names: readonly string[] | undefined,
  former: XmlNode | undefined,
): XmlNode | undefined {
  const before = elementOf(former, list);
  if (!names || names.length === 0) return before;
  const known = new Map(elementsOf(before).map((element) => [textOfNode(element), element]));
  return xmlNode(
    list,
    [...new Set(names)].map((name) => known.get(name) ?? xmlNode(item, name)),
  );
}

function arcsOf(names: readonly string[] | undefined, former: XmlNode | undefined): XmlNode | undefined {
  if (!names || names.length === 0) return former;
  const known = new Map(elementsOf(former).map((arc) => [textOfNode(elementOf(arc, "Name")), arc]));
  return xmlNode(
    "Arcs",
    [...new Set(names)].map((name) => known.get(name) ?? xmlNode("Arc", [xmlNode("Name", name)])),
  );
}

/** The provider's address comes first; those of another issue there go. */
function urlsOf({ issue, detail }: TaggedIssue, former: XmlNode | undefined): XmlNode | undefined {
  const isMatched = issue.cvIssueId > 0;
  const own = isMatched ? `https://comicvine.gamespot.com/issue/4000-${issue.cvIssueId}/` : undefined;
  const url = detail?.url?.replaceAll(" ", "%20") ?? own;
  if (url === undefined) return former;
  const isOther = (text: string) => isMatched && /\/4000-\d+/.test(text) && !text.includes(`/4000-${issue.cvIssueId}`);
  const before = elementsOf(former).filter((element) => !isOther(textOfNode(element)));
  if (before.some((element) => textOfNode(element) === url)) return xmlNode("URLs", before);
  const isPrimary = !before.some(({ attributes }) => attributes["primary"] === "true");
  return xmlNode("URLs", [xmlNode("URL", url, { primary: isPrimary ? "true" : undefined }), ...before]);
}

/** Roles that the file gives a person in other words than the collection's stay as they are there. */
function creditsOf(credits: IssueDetail["credits"] | undefined, former: XmlNode | undefined): XmlNode | undefined {
  if (!credits || credits.length === 0) return former;
  const rolesByName = new Map<string, Set<string>>();
  for (const { name, role } of credits)
    rolesByName.set(name, new Set([...(rolesByName.get(name) ?? []), ...metronRoles(role)]));
  const known = new Map(elementsOf(former).map((credit) => [textOfNode(elementOf(credit, "Creator")), credit]));
  return xmlNode(
    "Credits",
    [...rolesByName].map(([name, roles]) => creditOf({ name, roles: [...roles] }, known.get(name))),
  );
}

function creditOf(
  { name, roles }: { readonly name: string; readonly roles: readonly string[] },
  former: XmlNode | undefined,
): XmlNode {
  const before = new Map(elementsOf(elementOf(former, "Roles")).map((role) => [textOfNode(role), role]));
  const attributes: Attributes = elementOf(former, "Creator")?.attributes ?? {};
  return xmlNode("Credit", [
    xmlNode("Creator", name, attributes),
    xmlNode(
      "Roles",
      roles.map((role) => before.get(role) ?? xmlNode("Role", role)),
    ),
  ]);
}
