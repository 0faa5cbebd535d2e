import { definePlugin } from "@longbox/sdk";

export default definePlugin({
  activate() {},
});
