export { isPlugin, readPackageJson } from "./package-json.js";
export type { PackageJson } from "./package-json.js";
export { publishPackage } from "./publish-package.js";
export type { PublishTarget, RegistryAddress } from "./publish-package.js";
export { filesBelow, stagePackage, writeManifest } from "./stage.js";
export type { PublishedManifest } from "./stage.js";
export { contentHash, packTarball } from "./tarball.js";
export { neededThirdParties, packageFolderOf } from "./third-party.js";
