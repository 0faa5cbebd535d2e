export { NewznabServer } from "./newznab-server.js";
export type { Listed } from "./newznab-server.js";
export { nzbOf, NntpServer } from "./nntp-server.js";
export type { Posted } from "./nntp-server.js";
export { NzbgetProgram, nzbgetVersion } from "./nzbget.js";
export { SabnzbdProgram, sabnzbdVersion } from "./sabnzbd.js";
