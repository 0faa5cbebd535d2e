import type { SeriesFacet } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import { BadSelection } from "../errors.js";
import type { Browsing } from "./browsing.js";
import { selectionFacet } from "./facets.js";
import { readSelection, type ChosenValues } from "./selection.js";

const mostCharacters = 8000;

/**
 * Narrows lists of series to those with an item that fits a selection, which is written as in an address:
 * `GET /api/collection?facet={"shelves":"genre=Mystery&publisher=-Grim+Press"}`.
 */
export class SelectionFacet implements SeriesFacet {
  readonly name = selectionFacet;

  constructor(private readonly browsing: Browsing) {}

  /** @throws {BadSelection} @throws {UnknownFacet} */
  async findSeries(value: unknown, viewer: Viewer): Promise<readonly number[]> {
    return await this.browsing.seriesIds(parse(value), viewer);
  }
}

function parse(value: unknown): ChosenValues {
  if (typeof value !== "string" || value.length > mostCharacters)
    throw new BadSelection("facet", `must be a query of at most ${mostCharacters} characters`);
  const query: Record<string, string | string[]> = Object.create(null);
  const parameters = new URLSearchParams(value);
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name);
    query[name] = name === "q" ? values.join(" ") : values;
  }
  return readSelection(query);
}
