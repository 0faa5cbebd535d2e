import { Isolation } from "./isolated/isolation.js";
import { FaultReports } from "./containment/fault-reports.js";
import { RefusedCalls } from "./containment/refused-calls.js";
import { Capabilities } from "./contracts/capabilities.js";
import { ExtensionPoints } from "./contracts/extension-points.js";
import { HostParts } from "./host-parts.js";
import { Surroundings } from "./running/surroundings.js";
import { PluginStore } from "./packages/store.js";
import { RegistryClient } from "./packages/registry-client.js";
import { Consent } from "./consent/consent.js";
import { Provenance } from "./consent/provenance.js";
import { Signatures } from "./consent/signatures.js";
import { TrustedRoots } from "./consent/trusted-root.js";
import { Catalog } from "./packages/catalog.js";
import { AuditTrail } from "./audit.js";
import { Preparing } from "./packages/preparing.js";
import { Fleet } from "./installed/fleet.js";
import { Installing } from "./installed/installing.js";
import { Inventory } from "./installed/inventory.js";
import { Moving } from "./installed/moving.js";
import { Switching } from "./installed/switching.js";
import { Versions } from "./installed/versions.js";
import { PendingOperations } from "./pending-operations.js";
import { Orderly } from "./orderly.js";
import { PluginRows } from "./plugin-rows.js";
import { ProcessEnds } from "./containment/process-ends.js";
import { Turns } from "./turns.js";
import { Blockings } from "./containment/blockings.js";
import { FaultPolicy } from "./containment/fault-policy.js";
import { InstallRequests } from "./packages/install-requests.js";
import { LinkedFolders } from "./linked/linked-folders.js";
import { AbsentPlugins } from "./absent-plugins.js";
import { Authors } from "./publishing/authors.js";
import { Publishing } from "./publishing/publishing.js";
import { PluginHost } from "./plugin-host.js";

/** The classes of the plugin host, of which the container makes one instance each. */
export const pluginHostClasses = [
  FaultReports,
  RefusedCalls,
  Capabilities,
  ExtensionPoints,
  HostParts,
  Surroundings,
  PluginStore,
  RegistryClient,
  Catalog,
  AuditTrail,
  TrustedRoots,
  Provenance,
  Signatures,
  Consent,
  Preparing,
  Isolation,
  ProcessEnds,
  Fleet,
  Inventory,
  Switching,
  Moving,
  Versions,
  Turns,
  PendingOperations,
  Orderly,
  Blockings,
  FaultPolicy,
  InstallRequests,
  PluginRows,
  Installing,
  LinkedFolders,
  AbsentPlugins,
  PluginHost,
  Authors,
  Publishing,
] as const;
