export { NewznabServer } from "./newznab-server.js";
export type { Listed } from "./newznab-server.js";
export { nzbOf, NntpServer } from "./nntp-server.js";
export type { Posted } from "./nntp-server.js";
export { hasNzbget, NzbgetProgram } from "./nzbget.js";
export { hasSabnzbd, SabnzbdProgram } from "./sabnzbd.js";
