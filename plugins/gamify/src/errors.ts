import { Conflict, NotFound } from "@longbox/sdk";

export class NotReady extends Conflict {
  constructor(reason: string) {
    super("gamify/not-ready", reason);
  }
}

export class NoSuchQuest extends NotFound {
  constructor(questId: number) {
    super("gamify/quest-not-found", "This week has no such quest.", { questId });
  }
}

export class QuestIsDone extends Conflict {
  constructor(questId: number) {
    super("gamify/quest-done", "This quest is completed.", { questId });
  }
}

export class AllRerolled extends Conflict {
  constructor() {
    super("gamify/no-rerolls", "You have swapped three quests this week. You can swap again next week.");
  }
}

export class NoOtherQuest extends Conflict {
  constructor() {
    super("gamify/no-other-quest", "The library has no other quest for you this week.");
  }
}

export class TooFewTokens extends Conflict {
  constructor(cost: number, tokens: number) {
    super("gamify/too-few-tokens", `A freeze costs ${cost} tokens.`, { cost, tokens });
  }
}

export class EnoughFreezes extends Conflict {
  constructor(freezes: number) {
    super("gamify/enough-freezes", "You cannot hold more freezes.", { freezes });
  }
}
