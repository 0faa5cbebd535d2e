import { BadInput, NotFound } from "@longbox/sdk";

export class BookNotFound extends NotFound {
  constructor() {
    super("kobo/no-such-book", "There is no such book, or it is no EPUB.");
  }
}

export class ImageNotFound extends NotFound {
  constructor() {
    super("kobo/no-image", "There is no such book, or it has no cover.");
  }
}

export class DeviceNotFound extends NotFound {
  constructor() {
    super("kobo/no-such-device", "There is no such e-reader.");
  }
}

export class TooManyDevices extends BadInput {
  constructor(most: number) {
    super("kobo/too-many-devices", `You can have ${most} e-readers. Remove one first.`, { name: "is one too many" });
  }
}

export class UnknownShelf extends BadInput {
  constructor(id: string) {
    super("kobo/no-such-shelf", `There is no shelf ${id} to synchronise.`, { shelves: "must be ids of the list" });
  }
}
