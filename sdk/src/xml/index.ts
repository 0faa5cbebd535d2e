export { decodeXml } from "./decode.js";
export { usualXmlLimits, XmlRefused } from "./limits.js";
export type { XmlLimits, XmlRefusal } from "./limits.js";
export { readXml, readXmlInPieces } from "./reading.js";
export type { XmlEvents, XmlOptions, XmlStart } from "./reading.js";
export { readXmlTree, unlessRefused } from "./tree.js";
export type { XmlElement } from "./tree.js";
