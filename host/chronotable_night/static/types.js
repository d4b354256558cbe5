// @ts-check
/** @import { Child } from "/static/dom.js" */
/**
 * The state that the server sends, and what a game's page gets and gives.
 *
 * @typedef {{seat: number, name: string, figure: string, who: "phone" | "bot" | "free", bot: string,
 *   here: boolean, sealed: boolean, deciding: boolean, plays: boolean, wins: number}} Player
 * @typedef {{action: string, label: string, says: string, refused?: string}} Choice
 * @typedef {{kind: string, headline: string, explains: string, choices: Choice[] | null,
 *   rules: [string, string][], sealed: string | null, passes: boolean}} Decision
 * @typedef {{n: number, what: string, facts: Record<string, any>, says: string,
 *   own?: boolean}} Happening
 * `means` is what the value is called; behind a colon may follow what that means.
 * @typedef {{value: any, means: string}} Value
 * @typedef {{name: string, title: string, about: string, players: [number, number], box?: boolean}} Offered
 * @typedef {{name: string, about: string, value: any, values: Value[]}} Option
 * @typedef {{type: "state", steps: number, name: string, title: string, games: Offered[],
 *   printed: any, rulebook: [string, string][], minute?: [string, string][], known?: boolean, roles?: string[], phase: "lobby" | "play" | "over", code: string, link: string, qr: string, ways: number, note: string,
 *   seat: number, players: Player[], options: Option[], least: number,
 *   view: Record<string, any> | null, headline: string, line: string, decision: Decision | null,
 *   happened: Happening[], outcome: {winners: number[], why: string, says: string} | null,
 *   look_up: boolean, lets_pass: boolean, take_back: {by: number, agreed: number[]} | null, can_take_back: boolean, remarks: boolean,
 *   notice: string, notices: [number, string][], refused?: string}} State
 *
 * `wins` are those of this night, told between games. `look_up` is true while the big screen shows what came of the last action, which no phone knows
 * yet; `lets_pass`, while this seat lets pass what it may, and `passes`, where it may. `notice` says what is waited for, `notices` are numbered: each page tells each once.
 * `minute` is the game in one minute, which the big screen tells at first until all say that it is `known`, `roles` what each seat is in it. `name` is that of the game, "" while none is chosen of the `games` that are offered. `printed` is what is printed on cards and boards, for the page of the game to draw. `refused` says
 * why a sealed answer of this seat could not be played; `own` marks what only this
 * seat knows of.
 *
 *
 * What a game's page is given. Seats are numbers; where a figure is no seat's, its name ("p0").
 * @typedef {{
 *   big: boolean,
 *   lift: (choice: Choice | null) => void,
 *   lifted: string,
 *   choice: (action: string) => Choice | undefined,
 *   redraw: () => void,
 *   memory: Record<string, any>,
 *   figure: (seat: number | string, mood?: string) => SVGSVGElement,
 *   head: (seat: number | string, mood?: string) => SVGSVGElement,
 *   eye: (how: "open" | "half" | "shut", seat?: number | string) => SVGSVGElement,
 *   name: (seat: number) => string,
 *   tr: (sentence: string, values?: Record<string, string | number>) => string,
 *   el: (tag: string, props?: Record<string, any>, ...children: (Child | Child[])[]) => any,
 * }} Frame
 *
 * What is half made on a page: the next step, what it leads to, what the button is called that makes
 * it, and how the last step is taken back, if one can be.
 * @typedef {{headline: string, line: string, says: string, label: string, back: (() => void) | null}} Making
 *
 * A module `phone.js`; what may be left out has a "?". A game that `isPublic` has nothing to hide: no
 * lid, and its field stays while one waits, and when it is over. `sheets` come before its `style.css`.
 * @typedef {{
 *   field: (state: State, frame: Frame) => Element | null,
 *   hand: (state: State, frame: Frame) => Element | null,
 *   covered?: (state: State, frame: Frame) => Element | null,
 *   facts?: (state: State, frame: Frame, seat: number) => Child | Child[],
 *   backs?: (state: State, frame: Frame) => number,
 *   end?: (state: State, frame: Frame) => Element | null,
 *   equal?: string[],
 *   open?: string[],
 *   isPublic?: boolean,
 *   sheets?: string[],
 *   making?: (state: State, frame: Frame) => Making | null,
 * }} PhonePage
 *
 * A module `big.js`.
 * @typedef {{
 *   board: (state: State, frame: Frame, isAnimated?: boolean) => Element | null,
 *   animate?: (before: State, state: State, happened: Happening[], frame: Frame,
 *     tell: (view: State["view"], says: string, line?: string) => void) => Promise<void>,
 *   facts?: (state: State, frame: Frame, seat: number) => Child | Child[],
 *   sign?: (state: State, frame: Frame) => Child,
 *   mood?: (state: State, frame: Frame, seat: number) => string,
 *   end?: (state: State, frame: Frame) => Element | null,
 *   square?: boolean,
 *   tells?: number,
 *   sheets?: string[],
 *   holds?: (state: State, frame: Frame) => Element | null,
 * }} BigPage
 *
 * `tell` says what is seen at a moment of that: headline and seats. A board that `isAnimated` is
 * about to be. So many sentences of what just
 * happened are told as the page `tells`, or two. `holds` draws what the seat of a state has in hand, once the game is over and all may know.
 */

export {};
