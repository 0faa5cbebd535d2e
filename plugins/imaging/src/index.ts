import { availableParallelism } from "node:os";
import { definePlugin } from "@longbox/sdk";
import sharp from "sharp";
import { acceptedFormat } from "./accepted-formats.js";
import { Imaging } from "./contract.js";
import { drawImage } from "./drawing.js";
import { RenderLanes } from "./render-lanes.js";
import { hashImage, renderImage } from "./rendering.js";
import { snapWidth } from "./sizes.js";

/**
 * Images at a time. libvips works on the four threads that Node also reads files with, so at least one stays free.
 */
const lanes = Math.min(3, Math.max(1, availableParallelism()));

export default definePlugin({
  activate(_capabilities, context) {
    // Pages are rendered once and cached as files, so libvips's own cache would only use memory.
    sharp.cache(false);
    // Rendering several pages at once is more important than several threads for one page.
    sharp.concurrency(1);
    const queue = new RenderLanes(lanes);
    context.provide(Imaging, {
      render: (source, options, signal) =>
        queue.run(options.urgency ?? "now", signal, async () => {
          const bytes = typeof source === "function" ? await source() : source;
          signal?.throwIfAborted();
          return renderImage(bytes, options, { memory: context.memory, signal });
        }),
      perceptualHash: (bytes, signal) =>
        queue.run("ahead", signal, () => hashImage(bytes, { memory: context.memory, signal })),
      draw: (drawing, signal) =>
        queue.run("ahead", signal, () => drawImage(drawing, { memory: context.memory, signal })),
      snap: async (width) => snapWidth(width),
      chooseFormat: async (accept) => acceptedFormat(accept),
    });
  },
});
