import { registerIconLibrary } from "@awesome.me/webawesome/dist/components/icon/library.js";
import "./elements/frame.js";
import type { Frame } from "./elements/frame.js";
import { pages } from "./shell/own-pages.js";
import { Shell } from "./shell/shell.js";

// Web Awesome's own drawings are `data:` addresses that it fetches, which our Content Security Policy refuses.
registerIconLibrary("system", { resolver: (name) => `/controls.svg#${name}`, spriteSheet: true });

const shell = new Shell(Object.values(pages).filter((page) => page !== pages.notFound && page !== pages.forbidden));
const frame = document.createElement("lb-frame") as Frame;
frame.longbox = shell;
document.body.append(frame);
void shell.start();
