import { BadInput, NotFound } from "@longbox/sdk";

export class SeriesNotFound extends NotFound {
  constructor(id: string) {
    super("komga-api/no-such-series", `There is no series ${id}.`, { id });
  }
}

export class BookNotFound extends NotFound {
  constructor(id: string) {
    super("komga-api/no-such-book", `There is no book ${id}.`, { id });
  }
}

export class PageNotFound extends NotFound {
  constructor(page: number) {
    super("komga-api/no-such-page", `There is no page ${page}.`, { page });
  }
}

export class ImageNotFound extends NotFound {
  constructor() {
    super("komga-api/no-image", "There is no such item, or it has no cover.");
  }
}

export class ReadListNotFound extends NotFound {
  constructor(id: string) {
    super("komga-api/no-such-read-list", `There is no read list ${id}.`, { id });
  }
}

export class CollectionNotFound extends NotFound {
  constructor(id: string) {
    super("komga-api/no-such-collection", `There is no collection ${id}.`, { id });
  }
}

export class WrongCondition extends BadInput {
  constructor(why: string) {
    super("komga-api/wrong-condition", `The condition cannot be used: it ${why}.`, { condition: why });
  }
}

export class PageRequired extends BadInput {
  constructor() {
    super("komga-api/page-required", "A page is required unless the book is completed.", {
      page: "must be given unless completed is true",
    });
  }
}
