import type { PluginSettings } from "@longbox/sdk";
import { readAllowedPlaces, type AllowedPlaces } from "./allowed-places.js";
import { token } from "../injection.js";

/** The list in the settings, read once for each of its texts. */
export function allowedPlacesOf(
  settings: Pick<PluginSettings<{ readonly outgoingAllowed: string }>, "current">,
): () => AllowedPlaces {
  let read: { readonly text: string; readonly places: AllowedPlaces } | undefined;
  return () => {
    const text = settings.current.outgoingAllowed;
    if (read?.text !== text) {
      const places = readAllowedPlaces(text);
      read = { text, places: typeof places === "string" ? none : places };
    }
    return read.places;
  };
}

const none: AllowedPlaces = { host: () => false, address: () => false };

/** What an admin allows beside public addresses, at present. */
export const AllowedOutside = token<() => AllowedPlaces>("places inside the network that may be fetched from");
