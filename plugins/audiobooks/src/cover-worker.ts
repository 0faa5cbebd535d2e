// Pictures in comments are spread over many pages of a file, in base64: they are put together here, not in the server's
// thread.
import { readSync } from "node:fs";
import { answerTasks } from "@longbox/sdk/worker";
import type { CoverTasks } from "./covers/cover-tasks.js";
import { readCommentPicture } from "./parsing/comment-picture.js";
import { Source } from "./parsing/source.js";

answerTasks<CoverTasks>({
  commentPicture({ descriptor, sizeBytes }) {
    const read = (offset: number, length: number) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, length, offset));
    };
    return readCommentPicture(new Source(sizeBytes, read));
  },
});
