import type { PermissionCatalog } from "../../access/accounts/permissions.js";
import { Dispatcher, type AbsentPaths, type Presence, type RequestObserver } from "../routing/dispatcher.js";
import type { CallerIdentifying } from "../routing/identifying-caller.js";
import { FrontDoor } from "./front-door.js";
import { PolkaServer, type ListenPlace } from "./polka-server.js";
import { Proxies } from "./proxies.js";
import { Routes } from "../routing/routes.js";

/** Everything that faces the network. Routes may be mounted before it listens and at any time after. */
export class HttpDoor {
  readonly routes: Routes;
  readonly files = new FrontDoor();
  readonly #server: PolkaServer;

  constructor(parts: {
    catalog: PermissionCatalog;
    access: CallerIdentifying;
    absent: AbsentPaths;
    observer: RequestObserver;
    presence: Presence;
    trustProxy?: string;
  }) {
    this.routes = new Routes(parts.catalog);
    this.#server = new PolkaServer(
      new Dispatcher({ ...parts, routes: this.routes, proxies: new Proxies(parts.trustProxy), frontDoor: this.files }),
    );
  }

  listen(place: ListenPlace): Promise<string> {
    return this.#server.listen(place);
  }

  /** Ends after requests under way have, or after `graceMs`. Close the event stream first: it never ends by itself. */
  close(graceMs = 10_000): Promise<void> {
    return this.#server.close(graceMs);
  }
}
