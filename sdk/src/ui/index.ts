export type {
  BadgedFacts,
  ClientBadge,
  ClientSubject,
  ClientSubjects,
  LongboxClient,
  OfferedAction,
} from "../client.js";
export { addressOf, basePath, isBelowBase, pathOf } from "./addresses/base-path.js";
export { Action, type ActionOptions } from "./action.js";
export { actionBar, actionButton, actionItems, type ActionBarOptions } from "./actions/action-bar.js";
export { Badges } from "./actions/badges.js";
export { badge, card, type Card, type CardOptions } from "./covers/card.js";
export { shelf, shelfSkeleton, type Shelf } from "./covers/shelf.js";
export { cover, coverAddress, type Cover } from "./covers/cover.js";
export { confirm, type Answer, type Question } from "./dialogs/confirm.js";
export { Dialog, type DialogOptions } from "./dialogs/dialog.js";
export { showDialog, type ShownDialog } from "./dialogs/show-dialog.js";
export { element } from "./element.js";
export { check, choice, field, submitted, toggle, valueOf, valuesOf } from "./fields.js";
export type { ChoiceOptions, FieldOptions, SwitchOptions, ToggleOptions } from "./fields.js";
export { icon, iconNames } from "./icons/icon.js";
export { CoverWall, type WallLines, type WallOptions, type WallSize } from "./lists/cover-wall.js";
export { alongText } from "./lists/along-text.js";
export { latinKey } from "./lists/latin-key.js";
export { nextCell } from "./lists/roving.js";
export { Selection, type SelectionOptions } from "./lists/selection.js";
export { VirtualRows, type RowsShape } from "./lists/virtual-rows.js";
export { compareTexts, isRightToLeft, language, locale, pseudoLanguage } from "./language/language.js";
export type { Message, MessagePart, MessageValues } from "./language/message.js";
export { rich, t, unmarked, type MessageKey } from "./language/translate.js";
export { LongboxElement } from "./longbox-element.js";
export { menuButton, openMenu, rule, type Menu, type MenuItem } from "./menus/menu.js";
export type { Point } from "./menus/placing.js";
export { isAway, messageOf } from "./message.js";
export { progress, type Progress } from "./messages/progress.js";
export { toastList, Toasts, type Toast } from "./messages/toasts.js";
export { SaveOffline } from "./offline/save-offline.js";
export { pager, type Pager } from "./pager.js";
export { Resource, type ClientHost, type ResourceOptions, type ResourceStates } from "./resource.js";
export { SectionedPage, type Section } from "./sectioned-page.js";
export { drawingNames, type Drawing } from "./states/drawings.js";
export { failure, notice, problem, skeleton, waiting, type Notice, type NoticeAction } from "./states/notices.js";
export { pageStates, wholePageStates } from "./states/page-states.js";
export { trouble } from "./states/trouble.js";
export { shownOnce, type ShownOnce } from "./shown-once.js";
export { styled } from "./styled.js";
export { base } from "./styles/base.js";
export { buttons } from "./styles/buttons.js";
export { cards } from "./styles/cards.js";
export { covers } from "./styles/covers.js";
export { dialogs } from "./styles/dialogs.js";
export { fields } from "./styles/fields.js";
export { headings } from "./styles/headings.js";
export { layout } from "./styles/layout.js";
export { menus } from "./styles/menus.js";
export { notices } from "./styles/notices.js";
export { pageFrame } from "./styles/page-frame.js";
export { picks } from "./styles/picks.js";
export { sheet } from "./styles/sheet.js";
export { standard } from "./styles/standard.js";
export { surfaces } from "./styles/surfaces.js";
export { tables } from "./styles/tables.js";
export { tabs } from "./styles/tabs.js";
export { toasts } from "./styles/toasts.js";
export { walls } from "./styles/walls.js";
export { foldText } from "../folding/fold-text.js";
export { filledIn, translatedBy } from "../texts/translated-texts.js";
export type { Translating } from "../texts/translated-texts.js";
export { bytes, count, number, percent } from "./wording/numbers.js";
export { clockTime, day, duration, fromNow, moment, month } from "./wording/times.js";
