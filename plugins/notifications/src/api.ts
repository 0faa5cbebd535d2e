import type { z } from "zod";
import type { addressSchema, channelSchema, choicesSchema, fieldSchema, noticeSchema } from "./shapes.js";

export type Notice = z.output<typeof noticeSchema>;
export type Channel = z.output<typeof channelSchema>;
export type ChannelField = z.output<typeof fieldSchema>;
export type Address = z.output<typeof addressSchema>;
export type Choices = z.output<typeof choicesSchema>;
export type { Preferences } from "./preferences.js";
