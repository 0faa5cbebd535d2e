import { parentPort } from "node:worker_threads";
import { toTaskError, type TaskAnswer, type TaskRequest, type TaskShapes } from "./task-thread.js";

/** How each task is done. */
export type TaskHandlers<Shapes extends TaskShapes> = {
  readonly [Task in keyof Shapes]: (
    input: Shapes[Task]["input"],
  ) => Shapes[Task]["output"] | Promise<Shapes[Task]["output"]>;
};

/**
 * Answers the tasks of a `TaskThread`; the last statement of a worker module.
 * @throws {Error} outside of a worker thread
 */
export function answerTasks<Shapes extends TaskShapes>(handlers: TaskHandlers<Shapes>): void {
  const port = parentPort;
  if (!port) throw new Error("Tasks are answered in a worker thread.");
  const perform = async ({ id, task, input }: TaskRequest): Promise<TaskAnswer> => {
    try {
      // The name and the input come together from a `TaskThread` of the same shapes.
      return { id, output: await handlers[task]!(input as never) };
    } catch (thrown) {
      return { id, error: toTaskError(thrown) };
    }
  };
  port.on("message", (request: TaskRequest) => void perform(request).then((answer) => port.postMessage(answer)));
}
