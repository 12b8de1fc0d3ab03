/**
 * Draughts game records (PDN) in JavaScript: the Rust crate `pdn` as WebAssembly, for Node and browsers.
 *
 * Results are those of the command line `pdn`, and rows use its names (`start_fen`, `white_wins`). Nothing leaves the
 * machine: the only requests are for the files of this package. Work is done on the calling thread, in steps of about a
 * megabyte of records or one annotated game; between steps, other events are handled, progress is reported and `signal` is
 * checked. A page that must stay responsive should call the package in a worker.
 */

// ---------------------------------------------------------------------------------------------------------- Loading

/** The source of a file of the package: an address, its bytes, or (for modules) a compiled module. */
export type FileSource = string | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOptions {
  /** The module that reads and checks; by default, `pdn-core.wasm` beside this file. */
  core?: FileSource;
  /** The module that also analyses; by default, `pdn-engine.wasm` beside this file. It is loaded when first used. */
  engine?: FileSource;
  /** The module that also writes Parquet; by default, `pdn-tables.wasm` beside this file. It is loaded when first used. */
  tables?: FileSource;
  /**
   * Returns the file with this name: weights of the evaluation (`international.pdnw`) or endgame databases
   * (`international.egdb`). By default they are in the folder `data` beside this file; they are loaded when first used.
   */
  data?: (name: string) => FileSource | Promise<FileSource>;
}

/** Sets the locations of the package's files; call it before anything else. By default they are beside `pdn.js`. */
export function init(options: InitOptions): void;

/** Loads the module that reads and checks; otherwise, the first call loads it. */
export function load(): Promise<void>;

/** Loads the module that also analyses, and the files for a variant if one is named. */
export function loadEngine(variant?: VariantName): Promise<void>;

/** Returns the version of the package. */
export function version(): Promise<string>;

/** The error of a call. Problems in records are reported as diagnostics instead. */
export class PdnError extends Error {
  /**
   * `usage`: an option or a position is invalid, or an engine was freed. `unavailable`: a file or stream cannot be read (`cause` is what a
   * stream threw), memory is insufficient, or a chart has nothing to draw. `aborted`: `signal` was aborted, with its reason as the `cause`.
   * `crashed`: the module failed; the next call uses a new instance.
   */
  readonly kind: "usage" | "unavailable" | "aborted" | "crashed";
}

// ----------------------------------------------------------------------------------------------------------- Inputs

/**
 * Records: text, bytes or a stream of either, optionally compressed with gzip, zstd, bzip2 or xz. Text is UTF-8; bytes may
 * have any encoding. An uncompressed stream is read as it arrives; a compressed one is read to its end first.
 */
export type Source =
  | string
  | Uint8Array
  | ArrayBuffer
  | Blob
  | ReadableStream<Uint8Array | string>
  | Iterable<Uint8Array | string>
  | AsyncIterable<Uint8Array | string>;

/** Records with the name that diagnostics and rows give as `file`; by default `-`. A `File` has its own name. */
export type Input = Source | { name: string; data: Source };

/** One input, or an array of inputs, read one after the other. */
export type Inputs = Input | Input[];

/** The progress of a call. */
export interface ReadProgress {
  /** Number of inputs started. */
  inputs: number;
  /** Number of bytes read, as stored. */
  bytes: number;
  /** Size of all inputs in bytes, if known. */
  total: number | null;
}

export interface ReadOptions {
  /** Reads every game as this variant: a name, a GameType number or a GameType value. */
  variant?: VariantName | string | number;
  /** House rules, as the text of a rules file (TOML), instead of `variant`. */
  rules?: string;
  /**
   * Encoding of all games: `utf-8`, `utf-16le`, `utf-16be`, `cp1250`, `cp1251`, `cp1252`, `cp1257`, `cp437`, `cp850`, `cp866`, `koi8-r` or
   * `latin-1`; by default, detected.
   */
  encoding?: string;
  /** Maximum size of a game in bytes; the rest of a larger one is skipped with a diagnostic. Default: 64,000,000. */
  maxGame?: number;
  /** Called each time when other events were waited for, and at the end. */
  onProgress?: (progress: ReadProgress) => void;
  /** When aborted, ends the call with a `PdnError` of the kind `aborted`, also while it waits for a stream. */
  signal?: AbortSignal;
}

export interface TextOptions extends ReadOptions {
  /** Receives the output in chunks (UTF-8) as it is produced; `text` of the result is then empty. */
  write?: (bytes: Uint8Array) => void;
}

/** An input whose content could not be read to its end, such as damaged compressed data; the others were still read. */
export interface InputFailure {
  file: string;
  message: string;
}

/** Text produced from records. */
export interface TextResult {
  /** The output, unless `write` received it. */
  text: string;
  /** Number of errors in the records, as `check` counts them. */
  errors: number;
  failures: InputFailure[];
}

// ------------------------------------------------------------------------------------------------------------ Check

export type Severity = "error" | "warning" | "note";

export interface Diagnostic {
  file: string;
  /** Number of the game in the file, from 1; 0 outside any. */
  game: number;
  /** First byte in the decompressed file, and number of bytes. */
  offset: number;
  length: number;
  /** From 1; the column counts characters. */
  line: number;
  column: number;
  severity: Severity;
  /** Such as `move/illegal`. */
  code: string;
  message: string;
  help: string | null;
}

export interface Summary {
  files: number;
  games: number;
  clean_games: number;
  replayed_games: number;
  games_without_errors: number;
  games_not_replayed: number;
  plies: number;
  errors: number;
  warnings: number;
  notes: number;
  /** Duration of the call. */
  seconds: number;
}

export interface CheckOptions extends ReadOptions {
  // Generated: pdn check
  /** Also check the writing rules, and report warnings as errors. */
  strict?: boolean;
  /** Report only these codes. */
  select?: string[];
  /** Do not report these codes. */
  ignore?: string[];
  /** Report these codes as errors. */
  deny?: string[];
  /** Report games that lack any of these tags (tag/missing). */
  requireTags?: string[];
  /** Lowest severity to show; the summary counts all diagnostics. Default: note; warning with --quiet. */
  severity?: "error" | "warning" | "note";
  /** Language of the messages; codes are the same in every language. Default: en. */
  lang?: "en" | "nl" | "fr" | "it" | "pt" | "ru";
  // End
  /** Receives the diagnostics of each step; `diagnostics` of the result is then empty. */
  onDiagnostics?: (diagnostics: Diagnostic[]) => void;
  /** Receives the lines of `pdn check --format json`, including the summary, instead of objects. */
  write?: (bytes: Uint8Array) => void;
}

export interface CheckResult {
  diagnostics: Diagnostic[];
  summary: Summary;
  failures: InputFailure[];
}

/** Checks records: syntax, tags, moves, positions, results, draws. */
export function check(inputs: Inputs, options?: CheckOptions): Promise<CheckResult>;

/** The meaning of a code. */
export interface Explanation {
  code: string;
  severity: Severity;
  meaning: string;
  /** A record with such a diagnostic. */
  example: string | null;
}

/** Explains a code, in English unless a language is given. */
export function explain(code: string, lang?: "en" | "nl" | "fr" | "it" | "pt" | "ru"): Promise<Explanation>;

/** Returns all codes. */
export function codes(): Promise<string[]>;

// --------------------------------------------------------------------------------------------------- Canonical form

export interface FmtOptions extends TextOptions {
  // Generated: pdn fmt
  /** Maximum line width; a longer token gets a line to itself. Default: 80. */
  width?: number;
  /** How to write moves. Default: short. */
  notation?: "short" | "full" | "written";
  /** How to write results. Default: the usual style of the variant. */
  resultStyle?: "2-0" | "1-0";
  /** In games of the same variant, name squares as this GameType does, and write it as the tag; games with illegal moves stay unchanged. */
  gameType?: string;
  /** If false: remove all comments. Default: true. */
  comments?: boolean;
  /** If false: remove all variations. Default: true. */
  variations?: boolean;
  /** Remove these parts of games, and the comments that they leave empty. */
  strip?: ("evals" | "clocks" | "marks" | "commands" | "comments" | "variations")[];
  /** End games with their results, as many programs expect. */
  results?: boolean;
  /** Write only what the strict grammar prefers: no end-of-line comments, and no comments before the tags or after a game. */
  strict?: boolean;
  // End
}

/** A repair of a record. */
export interface Edit {
  file: string;
  game: number;
  /** The changed text: its bytes in the decompressed file, and its position. */
  offset: number;
  length: number;
  line: number;
  column: number;
  message: string;
  /** The lines with the change, as they were and as they are now; absent where a whole game is written again. */
  before?: string;
  after?: string;
}

export interface FmtResult extends TextResult {
  /** The repairs in text order, and notes about uncertain variants. */
  edits: Edit[];
}

/** Writes records in canonical PDN 3.0. `errors` counts the remaining errors. */
export function fmt(inputs: Inputs, options?: FmtOptions): Promise<FmtResult>;

/** Writes records in canonical form with every repair that has exactly one reading. For one game, pass its text. */
export function fix(inputs: Inputs, options?: FmtOptions): Promise<FmtResult>;

// ------------------------------------------------------------------------------------------------------------ Edits

/**
 * A change to a game. Moves are named by their addresses: `6` is ply 6 of the main line, `6.1.2` the second move of the first
 * variation in place of it, and `0` the start of the game.
 */
export type Change =
  | { setTag: { name: string; value: string } }
  | { removeTag: { name: string } }
  /** The text after a move, or before the first move of a variation. Commands such as `[%eval 0.32]` are kept. */
  | { comment: { at: string; text: string; before?: boolean } }
  | { nags: { at: string; nags: number[] } }
  /**
   * Commands after a move by their names, such as `clk` for the clock `[%clk 1:29:46]`, `csl` for coloured squares and `cal` for
   * arrows; `null` removes all commands of the name.
   */
  | { commands: { at: string; values: Record<string, string | null> } }
  /** Adds moves at the end of a line, or else as a variation; `clock` is the time left after the last of them, as `1:29:46`. */
  | { addMoves: { at: string; moves: string[]; clock?: string } }
  /** Removes a move and all that follow in its line. */
  | { remove: { at: string } }
  /** Exchanges the variation of a move and the line around it. */
  | { promote: { at: string } }
  /** Exchanges the variation of a move and the one before it, or, for the first variation, the line around it. */
  | { moveUp: { at: string } }
  /** The evaluation after a move, such as `0.32` and `#-7`; without a value, the old one is removed. */
  | { evaluation: { at: string; value?: string | null } }
  /** The time left of the side that made a move, such as `1:29:46`; without a value, the old one is removed. */
  | { clock: { at: string; value?: string | null } }
  /** Replaces the text of a move. */
  | { replace: { at: string; text: string } }
  | { result: { text: string } }
  /** Makes all repairs, or those with these numbers in their list, from 0. */
  | { repair: { only?: number[] } }
  /** Replaces the whole text of the game. */
  | { text: { text: string } };

export interface EditOptions extends ReadOptions {
  /** The game: its number in the input, from 1, or the byte where it begins. Without it, all games are repaired. */
  game?: { number: number } | { offset: number };
  changes?: Change[];
  /** Receives the records after the edits in chunks; `bytes` of the result is then empty. */
  write?: (bytes: Uint8Array) => void;
}

export interface EditResult {
  /** The records after the edits: all other bytes are those of the input. */
  bytes: Uint8Array<ArrayBuffer>;
  edits: Edit[];
  /** Number of games that changed. */
  changed: number;
  /** The address of the move to be shown after the changes, if the game has it. */
  address: string | null;
  /** Games that were left unchanged, and why, including a game that does not exist. */
  refused: string[];
  failures: InputFailure[];
}

/** Changes a game of one input, or repairs all games, and leaves every other byte unchanged. */
export function edit(input: Input, options?: EditOptions): Promise<EditResult>;

// ------------------------------------------------------------------------------------------------------- Conversion

export interface ConvertOptions extends TextOptions {
  // Generated: pdn convert
  /** Output format. Default: from the name of the output file. */
  to?: "csv" | "xlsx" | "json" | "jsonl" | "pdn" | "lidraughts" | "fen" | "parquet";
  /** For CSV, XLSX and Parquet: one row per game, move, position, diagnostic or (for annotated records) player. Default: games. */
  table?: "games" | "moves" | "positions" | "players" | "diagnostics";
  /** For CSV: put an apostrophe before text that a spreadsheet would treat as a formula because it starts with `=`, `+`, `-` or `@`. */
  escapeFormulas?: boolean;
  /** For CSV: write for spreadsheets, with a byte order mark, CRLF and escaped formulas, and keep results and moves from becoming dates. */
  excel?: "auto" | "comma" | "semicolon" | "tab";
  // End
}

/** Converts records to text. */
export function convert(
  inputs: Inputs,
  options: ConvertOptions & { to: Exclude<ConvertOptions["to"], "parquet" | "xlsx" | undefined> },
): Promise<TextResult>;

export interface FileResult extends Omit<TextResult, "text"> {
  /** Empty if `write` took the output. */
  bytes: Uint8Array;
}

/** Converts records to Parquet or to a spreadsheet, which are not text. */
export function convert(inputs: Inputs, options: ConvertOptions & { to: "parquet" | "xlsx" }): Promise<FileResult>;

export interface ReportOptions extends TextOptions {
  // Generated: pdn report
  /** Language of the page. Default: en. */
  lang?: "en" | "nl" | "fr" | "it" | "pt" | "ru";
  /** If false: show no sentences about shots that `pdn annotate --shots` found. Default: true. */
  shots?: boolean;
  // End
}

/** Writes games as one self-contained HTML page. */
export function report(inputs: Inputs, options?: ReportOptions): Promise<TextResult>;

// ------------------------------------------------------------------------------------------------------------- Rows

/** From White's point of view: centi-men, or plies to the end. A winner with centi-men wins in an unknown number of plies. */
export type Evaluation = { cm: number; winner?: "W" | "B" } | { win: number; winner: "W" | "B" };

/** A comment, an annotation or another part of a game at its place; a variation is its index among the `variations` of the move. */
export type Note =
  | { comment: string }
  | { line_comment: string }
  | { text: string }
  | { nag: number }
  | { variation: number }
  | { setup: string }
  | "ellipsis";

/** A shot at a move: the side that profits, the identifier of its name, how the move relates to it, and what it gains, in men. */
export interface MoveShot {
  side: "W" | "B";
  shot: string | null;
  fate: string;
  line: string[];
  gain: number;
}

/** A move, as in `pdn convert --to jsonl` and `pdn annotate --to jsonl`. The last fields are those of moves with evaluations. */
export interface MoveRow {
  ply: number;
  number: number | null;
  /** The number of dots after the number, if it is unusual. */
  dots?: number;
  side: "W" | "B";
  legal: boolean;
  written: string;
  notation: string | null;
  from: number | null;
  to: number | null;
  captured: number[];
  fen: string | null;
  clock: number | null;
  /** Time used for the move, or else in the game so far, in seconds. */
  elapsed?: number;
  eval: Evaluation | null;
  nags: number[];
  comment: string | null;
  intro?: string;
  /** Marks as written, such as `!?`. */
  marks?: string;
  /** What is written before the move, and after it, where the other fields do not show all of it. */
  before?: Note[];
  after?: Note[];
  setups?: string[];
  shots?: MoveShot[];
  variations: MoveRow[][];
  judgement?: "inaccuracy" | "mistake" | "blunder" | null;
  best?: string | null;
  expectation?: [number, number];
  forced?: boolean;
  /** The best lines from the position before the move, if `annotate` was asked for several. */
  lines?: { eval: Evaluation; moves: string[] }[];
}

/** A value of each side. */
export interface BySide<T> {
  W: T;
  B: T;
}

/** A game, as in `pdn convert --to jsonl` and `pdn annotate --to jsonl`. */
export interface GameRow {
  schema: number;
  file: string;
  game: number;
  offset: number;
  variant: VariantName | null;
  gametype: string | null;
  tags: Record<string, string>;
  /** Tags that repeat an earlier name, and all tags, as names and values; absent if no name is repeated. */
  repeated_tags?: [string, string][];
  all_tags?: [string, string][];
  start_fen: string | null;
  final_fen: string | null;
  written: number;
  plies: number;
  result: {
    tag: string | null;
    terminator: string | null;
    board: "W" | "B" | "draw" | null;
    winner: "W" | "B" | "draw" | null;
  };
  legal: boolean;
  /** The last built-in name of an opening that the main line reaches, and the number of legal moves that lead there. */
  opening?: string;
  opening_ply?: number;
  comment: string | null;
  end_comment?: string;
  /** What is written before the tags, before the moves and after the end, where the comments do not show all of it. */
  before?: Note[];
  intro?: Note[];
  tail?: Note[];
  /** The whole game as PDN, if the other fields do not show all of it. */
  record?: string;
  /** The variations of a main line without moves. */
  variations: MoveRow[][];
  diagnostics: Diagnostic[];
  /** The play of both sides, if moves have evaluations. */
  accuracy?: BySide<number | null>;
  average_loss_cm?: BySide<number | null>;
  marks?: BySide<{ inaccuracies: number; mistakes: number; blunders: number }>;
  phases?: BySide<Record<"opening" | "middlegame" | "endgame", ReportSide>>;
  moves: MoveRow[];
}

/** Reads games as rows, one at a time: the first one comes after at most 64 KB, or after the first game. */
export function games(inputs: Inputs, options?: ReadOptions): AsyncIterableIterator<GameRow>;

export interface ReportRowsOptions extends ReadOptions {
  /** Return only `head`: fast, for lists of many games. */
  heads?: boolean;
}

/** The details of a game in a list. Texts contain no control characters and no characters that change the text direction. */
export interface ReportHead {
  variant?: VariantName;
  white: string;
  black: string;
  event: string;
  round: string;
  date: string;
  result: string;
  winner?: "W" | "B" | "draw";
  plies: number;
}

/** A game for a board, in the form of the pages of `pdn report`. */
export interface ReportRow {
  file: string;
  /** Number of the game in the file, from 1. */
  game: number;
  /** Its bytes in the decompressed file. */
  offset: number;
  length: number;
  /** Numbers of its diagnostics. */
  errors: number;
  warnings: number;
  /** The name of its encoding; null for UTF-8. */
  encoding: string | null;
  /** False if its file has another format, such as JSON, so that its bytes may not be a record without the rest. */
  pdn: boolean;
  head: ReportHead;
  /** The moves, as `src/report/page/model.js` reads them; absent with `heads`. */
  body?: ReportBody;
  /** The text of the record; absent with `heads`. */
  record?: string;
}

/**
 * The body of a game: `start` has a letter for each square of the board (`w b W B .`); a move is
 * `[ply, written, change?, evaluation?, more?]`, with a negative ply for Black's moves, where `change` is the side to move,
 * then the place (two base-36 digits) and letter of each changed square, beginning with the first and last squares of the move.
 */
export interface ReportBody {
  start: string;
  turn: "W" | "B";
  comment?: string;
  end?: string;
  moves: unknown[][];
  variations?: unknown[][][];
  curve?: (number | null)[];
  sides?: [ReportSide, ReportSide];
  tags?: [string, string][];
}

/** How well a side played. */
export interface ReportSide {
  moves: number;
  accuracy: number | null;
  average_loss_cm: number | null;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
}

/** Reads games in the form of the pages of `pdn report`. */
export function reportRows(inputs: Inputs, options?: ReportRowsOptions): AsyncIterableIterator<ReportRow>;

/** The squares of a board, in the order used by `letters`, `start` and `change`. */
export interface Board {
  variant: VariantName;
  width: number;
  height: number;
  /** True if all squares are playable. */
  plain: boolean;
  /** True if squares have names such as `c3`. */
  letters: boolean;
  /** Names of the squares, and their places row by row from the top left. */
  names: string[];
  at: number[];
}

/** Returns the board of a variant. */
export function board(variant: VariantName | string): Promise<Board>;

// ------------------------------------------------------------------------------------------------------------ Rules

export type VariantName =
  | "international" | "english" | "italian" | "pool" | "pool-unified" | "jamaican" | "spanish" | "russian" | "brazilian"
  | "canadian" | "portuguese" | "czech" | "turkish" | "thai" | "frisian" | "spantsiretti" | "killer" | "breakthrough"
  | "antidraughts" | "frysk";

export interface Variant {
  name: VariantName;
  /** Such as `20`; null if the variant has none. */
  gametype: number | null;
  /** The starting position. */
  fen: string;
  width: number;
  height: number;
  starts: "W" | "B";
}

/** Returns the built-in variants. */
export function variants(): Promise<Variant[]>;

/** The variant of a position; default: `international`. */
export interface PositionOptions {
  variant?: VariantName | string | number;
  rules?: string;
}

export interface LegalMove {
  /** Short unless that is ambiguous. */
  notation: string;
  /** Internal numbers of the squares. */
  from: number;
  to: number;
  captured: number[];
  path: number[];
}

/** Legal moves, as in `pdn moves --format json`. */
export interface LegalMoves {
  variant: VariantName;
  fen: string;
  moves: LegalMove[];
}

/** Returns the legal moves of a position. */
export function legalMoves(fen: string, options?: PositionOptions): Promise<LegalMoves>;

/** A move for a board. */
export interface BoardMove extends LegalMove {
  /** Places on the board, as in `Board`: of every square on the path of the piece, and of the captured pieces. */
  places: number[];
  taken: number[];
  /** The position after the move, and the change to it as in `ReportBody`. */
  fen: string;
  change: string;
}

/** A position for a board. */
export interface PositionRow {
  variant: VariantName;
  /** The position in standard form. */
  fen: string;
  turn: "W" | "B";
  /** A letter for each square: `w b W B .`, as in `Board`. */
  letters: string;
  /** Who has won, if the game is over. */
  winner: "W" | "B" | "draw" | null;
  moves: BoardMove[];
}

/** Reads a position; without a FEN, the starting position of the variant. */
export function position(fen?: string | null, options?: PositionOptions): Promise<PositionRow>;

/** A line of moves from a position. */
export interface Played extends PositionRow {
  /** The moves played. */
  played: BoardMove[];
  /** The reason why the next move could not be played, if there is such a move. */
  error: string | null;
}

/** Plays moves (`"32-28 19-23"`, with or without move numbers) from a position, or from the start of the variant. */
export function play(
  fen: string | null,
  moves: string | string[],
  options?: PositionOptions,
): Promise<Played>;

/** The name of an opening. */
export interface OpeningName {
  name: string;
  /** The number of moves after which the position with this name is on the board. */
  ply: number;
}

/** Returns the last built-in name of an opening that moves reach from a position, or from the start of the variant; null without one.
 * Moves after one that cannot be played are ignored. */
export function opening(
  fen: string | null,
  moves: string | string[],
  options?: PositionOptions,
): Promise<OpeningName | null>;

// ------------------------------------------------------------------------------------------------------ Collections

export interface SearchOptions extends TextOptions {
  // Generated: pdn search
  /** Find games that match an expression. */
  where?: string;
  /** Find games with this position; `?` as the side to move means either side. */
  fen?: string;
  /** Find games with a position whose squares hold, or do not hold, certain pieces, such as `28=w 24=. *=!B`. */
  pattern?: string;
  /** Find games with a position of this material, such as `kings=0 white<=5`. */
  material?: string;
  /** Find games with these consecutive moves. */
  sequence?: string;
  /** Find games with this combination, such as `philippe`, `royal:missed` or `any`; `pdn shots --names` lists them. */
  shot?: string;
  /** Also find positions and moves with the colours swapped and the board rotated. */
  mirror?: boolean;
  /** If false: look for positions and moves in main lines only. Default: true. */
  variations?: boolean;
  /** Find the games that do not match. */
  invert?: boolean;
  /** Output format. Default: pdn. */
  to?: "pdn" | "jsonl" | "csv" | "none";
  /** For CSV: put an apostrophe before text that a spreadsheet would treat as a formula because it starts with `=`, `+`, `-` or `@`. */
  escapeFormulas?: boolean;
  /** For CSV: write for spreadsheets, with a byte order mark, CRLF and escaped formulas, and keep results and moves from becoming dates. */
  excel?: "auto" | "comma" | "semicolon" | "tab";
  // End
}

export interface SearchResult extends TextResult {
  count: number;
  /** The games found. */
  found: { file: string; game: number }[];
}

/** Finds games by tags, positions and moves. */
export function search(inputs: Inputs, options: SearchOptions): Promise<SearchResult>;

export interface Results {
  white_wins: number;
  draws: number;
  black_wins: number;
  unknown: number;
}

export interface Branch extends Results {
  notation: string;
  name?: string;
  games: number;
  average_rating: number | null;
  last_year: number | null;
  fen: string;
  moves?: Branch[];
}

/** A tree of moves, as in `pdn openings --format json`. */
export interface OpeningTree {
  fen: string;
  name?: string;
  games: number;
  moves: Branch[];
}

export interface OpeningsOptions extends ReadOptions {
  // Generated: pdn openings
  /** Start from this position, wherever games reach it. */
  fen?: string;
  /** Depth of the tree. Default: 2. */
  plies?: number;
  /** Leave out moves played in fewer games. Default: 1. */
  minGames?: number;
  // End
  /** Names of openings: the text of a file of names. */
  names?: string;
}

/** Returns the moves played from a position, and how they scored. */
export function openings(inputs: Inputs, options?: OpeningsOptions): Promise<OpeningTree>;

export interface Standing {
  rank: number;
  name: string;
  team?: string;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  byes: number;
  forfeit_wins: number;
  forfeit_losses: number;
  points: number;
  solkoff: number;
  sonneborn_berger: number;
  mutual: number;
  rating: number | null;
  performance: number | null;
  /** The tie-breaks in use, in their order. */
  tie_breaks: { name: string; value: number | null }[];
}

/** A team of a tournament. */
export interface TeamStanding {
  rank: number;
  name: string;
  matches: number;
  wins: number;
  draws: number;
  losses: number;
  match_points: number;
  board_points: number;
}

/** A tournament, as in `pdn event --format json`. */
export interface EventRow {
  event: string | null;
  system: "round-robin" | "swiss";
  players: Standing[];
  rounds: number | null;
  /** Number of records that are copies of other games and do not count. */
  copies: number;
  pairings: unknown[];
  matches?: unknown[];
  teams?: TeamStanding[];
  diagnostics: Diagnostic[];
}

export interface EventOptions extends ReadOptions {
  // Generated: pdn event
  /** Rank as the regulations of a federation say (`fmjd`, `kndb`, `fide`, `ffjd`). */
  regulations?: string;
  /** Points for a win, a draw and a loss, such as 3-1-0, instead of those of the regulations. */
  points?: number[];
  /** Tie-breaks between players with equal points, in this order, instead of those of the regulations. */
  tieBreaks?: ("wins" | "mutual" | "sonneborn-berger" | "solkoff" | "solkoff-cut-1" | "solkoff-cut-2" | "solkoff-median" | "progressive" | "blacks" | "performance" | "rating" | "classification")[];
  /** Rank as in this kind of tournament; without it, a tournament in which three quarters of the pairs met is a round robin. */
  system?: "round-robin" | "swiss";
  /** Only the event with this name. */
  event?: string;
  /** Treat all games as one tournament, whatever their events. */
  one?: boolean;
  /** Language of the diagnostics and of pages. Default: en. */
  lang?: "en" | "nl" | "fr" | "it" | "pt" | "ru";
  /** For CSV: put an apostrophe before text that a spreadsheet would treat as a formula because it starts with `=`, `+`, `-` or `@`. */
  escapeFormulas?: boolean;
  /** For CSV: write for spreadsheets, with a byte order mark, CRLF and escaped formulas, and keep results and moves from becoming dates. */
  excel?: "auto" | "comma" | "semicolon" | "tab";
  // End
  /** Aliases of players and events: lines `alias = name`. */
  aliases?: string;
}

/** Returns the tables of each event. */
export function event(inputs: Inputs, options?: EventOptions): Promise<EventRow[]>;

/** Returns the tables of all events as CSV (standings) or as an HTML page. */
export function eventText(inputs: Inputs, options: EventOptions & { to: "csv" | "html" }): Promise<string>;

/** Returns the tables of all events as a spreadsheet with a sheet for each table. */
export function eventFile(inputs: Inputs, options: EventOptions & { to: "xlsx" }): Promise<Uint8Array>;

export interface StatsOptions extends ReadOptions {
  // Generated: pdn stats
  /** Show at most N groups of each kind. Default: 10 in tables, all in JSON. */
  top?: number;
  /** Also count the named shots that were played, by name, player, opening and year. */
  shots?: boolean;
  // End
  /** Names of openings: the text of a file of names. */
  names?: string;
}

/** The statistics of a collection, as in `pdn stats --format json`. */
export interface StatsRow {
  games: number;
  replayed_games: number;
  plies: number;
  captures: number;
  king_moves: number;
  promotions: number;
  games_with_kings: number;
  length: { least: number; median: number; mean: number; most: number };
  results: Results;
  variants: { name: string | null; games: number }[];
  years: { name: string | null; games: number }[];
  events: { name: string | null; games: number }[];
  players: { name: string; games: number; wins: number; draws: number; losses: number }[];
  openings: ({ variant: VariantName; moves: string; games: number } & Results)[];
  named_openings: ({ variant: VariantName; name: string; games: number } & Results)[];
  /** The named shots that were played, if they are counted. */
  shots?: Record<"names" | "players" | "openings" | "years", { name: string | null; games: number }[]>;
  diagnostics: { errors: number; warnings: number; notes: number; codes: { code: string; count: number }[] };
}

/** Computes the statistics of a collection. */
export function stats(inputs: Inputs, options?: StatsOptions): Promise<StatsRow>;

export interface ChartOptions extends ReadOptions {
  // Generated: pdn chart
  /** What to show. Default: evaluation. */
  kind?: "evaluation" | "accuracy" | "openings" | "ratings";
  /** Show the evaluations of the game with this number, counted over all files. Default: 1. */
  game?: number;
  /** Show the games of this player: a name or part of a name. */
  player?: string;
  /** Show at most N openings. Default: 12. */
  top?: number;
  /** Language of the chart. Default: en. */
  lang?: "en" | "nl" | "fr" | "it" | "pt" | "ru";
  // End
  /** Names of openings: the text of a file of names. */
  names?: string;
}

/** Draws a chart as SVG, as `pdn chart` does. */
export function chart(inputs: Inputs, options?: ChartOptions): Promise<string>;

export interface PlayersOptions extends ReadOptions {
  /** Compare the names of events instead. */
  events?: boolean;
}

/** A spelling that is probably another one of a name, as in `pdn players --format json`. */
export interface SpellingRow {
  alias: string;
  name: string;
  reason: string;
  /** The numbers of games of the spelling and of the name. */
  games: [number, number];
  /** The number of events of the spelling; 0 for events. */
  events: number;
  /** One of these events. */
  event: string | null;
  /** The first and the last year of the spelling. */
  years: [number, number] | null;
}

/** Returns which spellings of names may be one player, or one event. */
export function players(inputs: Inputs, options?: PlayersOptions): Promise<SpellingRow[]>;

export interface PuzzlesOptions extends ReadOptions {
  // Generated: pdn puzzles
  /** Nodes for each search. Default: 200000. */
  nodes?: number;
  /** Maximum number of positions in the proof of one move. Default: 50000. */
  proofNodes?: number;
  /** Write only puzzles in which all other moves are proven to fail. */
  proven?: boolean;
  /** Write only positions that occurred in a game, not those after a move that was not played. */
  played?: boolean;
  /** Skip games unless both players are known to have at least this rating. */
  fromElo?: number;
  // End
  /** Order of the puzzles. Default: difficulty. */
  order?: "difficulty" | "theme" | "game";
  /** Write only puzzles that are a shot with this name or mechanism, in any language, such as `royal` or `coup Philippe`. */
  theme?: string;
  /** A record for each puzzle with its solution, or a JSON object a line. Default: pdn. */
  to?: "pdn" | "jsonl";
  /** Size of the transposition table in megabytes, from 1 to 1024 (on a server 256); default: 16. */
  hash?: number;
  /** Receives the output in chunks (UTF-8); `text` of the result is then empty. */
  write?: (bytes: Uint8Array) => void;
}

export interface PuzzlesResult {
  /** The puzzles, unless `write` received them. */
  text: string;
  count: number;
  failures: InputFailure[];
}

/** Makes puzzles from the shots and mistakes in games, as `pdn puzzles` does. */
export function puzzles(inputs: Inputs, options?: PuzzlesOptions): Promise<PuzzlesResult>;

// ----------------------------------------------------------------------------------------------------------- Engine

export interface EngineOptions extends PositionOptions {
  /** Size of the transposition table in megabytes, from 1 to 1024 (on a server 256); default: 16. */
  hash?: number;
  /** Number of lines, from 1 to 100; default: 1. */
  lines?: number;
}

/** Limits of a search; the first one reached ends it. Without limits, it ends with `stop` or `signal`. */
export interface Limits {
  depth?: number;
  nodes?: number;
  /** Milliseconds. */
  time?: number;
}

export interface AnalyseOptions extends Limits {
  /** Moves to play from the position before the search, as text, so that repetitions are recognised. */
  moves?: string | string[];
  /** Called when the search reaches a greater depth or finds a better move. */
  onInfo?: (analysis: Analysis) => void;
  /**
   * Ends the search with a `PdnError` of the kind `aborted`. A search limited only by depth or nodes runs in one step, so that its
   * result is the same everywhere; only `onInfo` can end it early, or terminating its worker. Any other runs in steps of 0.1 seconds.
   */
  signal?: AbortSignal;
}

export interface Line {
  eval: Evaluation;
  moves: string[];
  /** The first and last places of each move on the board, as in `Board`. */
  places: [number, number][];
}

export interface Analysis {
  fen: string;
  depth: number;
  nodes: number;
  /** Elapsed time in milliseconds. */
  time: number;
  /** The lines, best first; empty if there is no legal move. */
  lines: Line[];
  /** The verdict of the endgame databases for the side to move, and the number of plies to the end if known. */
  value: "win" | "draw" | "loss" | null;
  plies: number | null;
}

/** An engine for one variant, with its own instance of the module. */
export class Engine {
  private constructor();
  /** Loads the module with its files for the variant, and creates an engine. */
  static create(options?: EngineOptions): Promise<Engine>;
  readonly variant: VariantName;
  /** Searches a position. One search at a time; a second call waits for the first. */
  analyse(fen: string, options?: AnalyseOptions): Promise<Analysis>;
  /** Ends the searches that were asked for: each returns its best result so far, at least of depth 1. */
  stop(): void;
  /** Sets the number of lines, from 1 to 100. */
  setLines(lines: number): void;
  /** Forgets earlier searches. */
  newGame(): void;
  /** Frees its memory; further calls are refused. */
  free(): void;
}

// --------------------------------------------------------------------------------------------------------- Annotate

export interface AnnotateProgress {
  /** Number of games and moves done. */
  games: number;
  moves: number;
  /** Total number of games and moves. */
  allGames: number;
  allMoves: number;
  /** The remaining work as a multiple of the work done; null until it can be estimated. */
  left: number | null;
}

export interface AnnotateOptions extends Omit<TextOptions, "onProgress"> {
  // Generated: pdn annotate
  /** Search depth for each position, in plies. */
  depth?: number;
  /** Nodes for each position, in the mean of a game. Default: 100000 unless another limit is given. */
  nodes?: number;
  /** Seconds for each position, in the mean of a game. */
  time?: number;
  /** Add the N best moves of each position, each with its evaluation and line; their search gets N times the limit. Default: 1. */
  lines?: number;
  /** Annotate the moves of variations too, except for best lines added by an earlier run. */
  variations?: boolean;
  /** Explain marked moves and shots in words, as comments after the moves. */
  words?: boolean;
  /** Language of the words and of the summary. Default: en. */
  lang?: "en" | "nl" | "fr" | "it" | "pt" | "ru";
  /** Find the shots that were played, missed, allowed or prevented [always with --words]. */
  shots?: boolean;
  /** Write no commands: marks as signs such as `??`, best lines and words as usual, and evaluations only in words. */
  plain?: boolean;
  /** Remove what earlier runs added, and search nothing. */
  clean?: boolean;
  /** Keep the evaluations in the records; other moves get new ones. */
  keepEvals?: boolean;
  /** Annotate only the moves of players whose name contains NAME; all other moves stay unchanged. */
  player?: string;
  /** Annotate only the moves of this side. */
  side?: "W" | "B";
  /** First ply to annotate, counted from 1. Default: 1. */
  fromPly?: number;
  /** Last ply to annotate. */
  toPly?: number;
  /** Evaluation, in centi-men, at which about 85 % of the points are expected, in all phases. Default: depends on variant and phase. */
  scale?: number;
  /** Smallest losses for an inaccuracy, a mistake and a blunder, in points; to be marked, a move must lose up to 0.05 more. Default: 0.1,0.15,0.25. */
  thresholds?: number[];
  // End
  /** Size of the transposition table in megabytes, from 1 to 1024 (on a server 256); default: 16. */
  hash?: number;
  /** Aliases of players: lines `alias = name`. */
  aliases?: string;
  to?: "pdn" | "json" | "jsonl" | "csv";
  /** For CSV; default: `moves`. */
  table?: "games" | "moves" | "players";
  /**
   * Only the games in this half-open range of indices, from 0 over all inputs. The outputs of consecutive ranges, joined, are
   * identical to the output of one run, so workers can share a collection, and a page can continue where it stopped.
   */
  range?: [number, number];
  /** Called after each step of a game. */
  onProgress?: (progress: AnnotateProgress) => void;
  /** Receives the text of each finished game, with its index from 0 over all inputs. */
  onGame?: (index: number, text: string) => void;
}

export interface AnnotateResult extends TextResult {
  /** Number of games annotated. */
  games: number;
}

/**
 * Adds the engine's evaluations, marks and best lines to records, byte for byte as `pdn annotate` does with the same
 * options. `signal` is checked between games.
 */
export function annotate(inputs: Inputs, options?: AnnotateOptions): Promise<AnnotateResult>;
