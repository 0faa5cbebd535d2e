import { feedAddress, type Addresses } from "../addresses.js";
import { atomTypes } from "./atom-feed.js";
import { element, xmlDocument } from "./xml.js";

export const openSearchType = "application/opensearchdescription+xml";

/** Describes the search to clients. The template is absolute, because many clients do not resolve a relative one. */
export function openSearchDescription(addresses: Addresses): string {
  return xmlDocument(
    element(
      "OpenSearchDescription",
      { xmlns: "http://a9.com/-/spec/opensearch/1.1/" },
      element("ShortName", {}, "Longbox"),
      element("Description", {}, "Search the library; #3 finds that number"),
      element("InputEncoding", {}, "UTF-8"),
      element("OutputEncoding", {}, "UTF-8"),
      element("Url", { type: atomTypes.acquisition, template: `${feedAddress(addresses, "/search")}?q={searchTerms}` }),
    ),
  );
}
