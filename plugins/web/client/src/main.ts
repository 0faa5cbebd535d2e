import { addressOf, isBelowBase, t } from "@longbox/sdk/ui";
import "./elements/frame.js";
import type { Frame } from "./elements/frame.js";
import "./elements/page-outlet.js";
import type { PageOutlet } from "./elements/page-outlet.js";
import { pages } from "./shell/routing/own-pages.js";
import { Shell } from "./shell/shell.js";

// A browser that came to the server itself, and not by its proxy, goes on where the proxy would have led.
if (!isBelowBase(location.pathname)) location.replace(addressOf(location.pathname) + location.search + location.hash);

const shell = new Shell(Object.values(pages).filter((page) => page !== pages.notFound && page !== pages.forbidden));
const page = document.querySelector("#page");
if (!page) throw new Error("The document has no place for pages.");

// Created here and not in the markup, because an element gets its properties before it is connected.
const outlet = document.createElement("lb-page-outlet") as PageOutlet;
outlet.longbox = shell;
const frame = document.createElement("lb-frame") as Frame;
frame.longbox = shell;
document.body.append(frame);
frame.append(page);
page.append(outlet);
// The document has it in English, for the moment before this runs.
const skip = document.querySelector(".skip");
if (skip) skip.textContent = t("main.skipToThePage");
skip?.parentElement?.setAttribute("aria-label", t("main.skip"));
void shell.start();
