import type { LongboxError } from "@longbox/sdk";
import { inject, injectable } from "../../injection.js";
import { AnswerFiles } from "../answering/answer-files.js";
import { Replies } from "../answering/sending-replies.js";
import { Dispatcher } from "../routing/dispatcher.js";
import { OpenAnswers } from "../routing/open-answers.js";
import { CallerIdentifying } from "../routing/identifying-caller.js";
import { Routes } from "../routing/routes.js";
import { FrontDoor } from "./front-door.js";
import { Pipeline } from "./pipeline.js";
import type { ListenPlace } from "./listen-place.js";
import { PolkaServer } from "./polka-server.js";
import { Proxies } from "./proxies.js";

/** The network side of the kernel. Routes can be mounted before it listens and at any time later. */
@injectable()
export class HttpDoor {
  constructor(
    @inject(Routes) readonly routes: Routes,
    @inject(FrontDoor) readonly files: FrontDoor,
    @inject(PolkaServer) private readonly server: PolkaServer,
    @inject(Pipeline) private readonly pipeline: Pipeline,
  ) {}

  /** Whether requests wait for the plugins. */
  get holds(): boolean {
    return this.pipeline.holds;
  }

  /** @param opening - what requests wait for, all but those for the server's health */
  listen(place: ListenPlace, opening?: Promise<unknown>): Promise<string> {
    if (opening !== undefined) this.pipeline.holdUntil(opening);
    return this.server.listen(place);
  }

  /** Answers all requests that are under way with an error, at once: this process is about to be killed. */
  abandon(error: LongboxError): void {
    this.server.abandon(error);
  }

  /** Ends after requests under way have, or after `graceMs`. Close the event stream first: it never ends by itself. */
  close(graceMs = 10_000): Promise<void> {
    return this.server.close(graceMs);
  }
}

export const httpClasses = [
  Routes,
  FrontDoor,
  Proxies,
  CallerIdentifying,
  AnswerFiles,
  Replies,
  OpenAnswers,
  Dispatcher,
  Pipeline,
  PolkaServer,
  HttpDoor,
] as const;
