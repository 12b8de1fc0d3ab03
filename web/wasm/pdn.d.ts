/**
 * Draughts game records (PDN) in JavaScript: the Rust crate `pdn` as WebAssembly, for Node and browsers.
 *
 * Answers are those of the command line `pdn`, so the rows have its names (`start_fen`, `white_wins`). Nothing leaves the
 * machine: the only requests are for the files of this package. Work is done on the thread that calls, in steps of about a
 * megabyte of records or one annotated game; between steps other events are served, progress is reported and `signal` is
 * obeyed. A page that must never wait calls the package in a worker.
 */

// ---------------------------------------------------------------------------------------------------------- Loading

/** Where a file of the package comes from: an address, its bytes, or (for modules) what was compiled before. */
export type FileSource = string | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOptions {
  /** The module that reads and checks; `pdn-core.wasm` beside this file unless given. */
  core?: FileSource;
  /** The module that also analyses; `pdn-engine.wasm` beside this file unless given. It is loaded when first used. */
  engine?: FileSource;
  /**
   * Returns the file with this name: weights of the evaluation (`international.pdnw`) or endgame databases
   * (`international.egdb`). They are in the folder `data` beside this file unless given, and are loaded when first used.
   */
  data?: (name: string) => FileSource | Promise<FileSource>;
}

/** Sets where the files of the package are, before anything else is called. Without it they lie beside `pdn.js`. */
export function init(options: InitOptions): void;

/** Loads the module that reads and checks, which otherwise the first call does. */
export function load(): Promise<void>;

/** Loads the module that also analyses, and the files for a variant if one is named. */
export function loadEngine(variant?: VariantName): Promise<void>;

/** Returns the version of the package. */
export function version(): Promise<string>;

/** An error of a call: nothing is wrong with the records, which have diagnostics instead. */
export class PdnError extends Error {
  /**
   * `usage`: an option or a position is not valid. `unavailable`: a file or stream cannot be read, or memory is short.
   * `aborted`: the signal was given. `crashed`: the module failed; the next call uses a new instance.
   */
  readonly kind: "usage" | "unavailable" | "aborted" | "crashed";
}

// ----------------------------------------------------------------------------------------------------------- Inputs

/**
 * Records: text, bytes or a stream of either, compressed with gzip, zstd, bzip2 or xz or not. Text is UTF-8; bytes may
 * have any encoding. A stream that is not compressed is read as it arrives; a compressed one is collected first.
 */
export type Source =
  | string
  | Uint8Array
  | ArrayBuffer
  | Blob
  | ReadableStream<Uint8Array | string>
  | Iterable<Uint8Array | string>
  | AsyncIterable<Uint8Array | string>;

/** Records with the name that diagnostics and rows give as `file`; `-` unless given. A `File` has its own name. */
export type Input = Source | { name: string; data: Source };

/** One input, or an array of inputs, read one after the other. */
export type Inputs = Input | Input[];

/** How far a call is. */
export interface ReadProgress {
  /** Number of inputs that were begun. */
  inputs: number;
  /** Bytes that were read, as stored. */
  bytes: number;
  /** Bytes of all inputs, if all sizes are known. */
  total: number | null;
}

export interface ReadOptions {
  /** Every game is of this variant: a name, a GameType number or a GameType value. */
  variant?: VariantName | string | number;
  /** House rules, as the text of a rules file (TOML), instead of `variant`. */
  rules?: string;
  /** Encoding of all games: `utf-8`, `utf-16le`, `utf-16be`, `cp1250`, `cp1251`, `cp1252` or `latin-1`; detected unless given. */
  encoding?: string;
  /** Maximum size of a game in bytes; the rest of a larger one is skipped with a diagnostic. 64,000,000 unless given. */
  maxGame?: number;
  /** Called after each step. */
  onProgress?: (progress: ReadProgress) => void;
  /** Ends the call with a `PdnError` of the kind `aborted`. */
  signal?: AbortSignal;
}

export interface TextOptions extends ReadOptions {
  /** Receives the output piece by piece (UTF-8), as it is made; `text` of the result is then empty. */
  write?: (bytes: Uint8Array) => void;
}

/** An input that could not be read to its end. The others were read. */
export interface InputFailure {
  file: string;
  message: string;
}

/** Text that was made of records. */
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
  /** Time that the call took. */
  seconds: number;
}

export interface CheckOptions extends ReadOptions {
  /** Checks the writing rules too, and raises warnings to errors. */
  strict?: boolean;
  /** Codes or groups to report; all unless given. */
  select?: string[];
  /** Codes or groups not to report. */
  ignore?: string[];
  /** Codes or groups to report as errors. */
  deny?: string[];
  /** The least severity to report; the summary counts all. */
  severity?: Severity;
  /** Tags that every game must have. */
  requireTags?: string[];
  /** Receives the diagnostics of each step; `diagnostics` of the result is then empty. */
  onDiagnostics?: (diagnostics: Diagnostic[]) => void;
  /** Receives the lines of `pdn check --format json`, the summary too, instead of any objects. */
  write?: (bytes: Uint8Array) => void;
}

export interface CheckResult {
  diagnostics: Diagnostic[];
  summary: Summary;
  failures: InputFailure[];
}

/** Checks records: syntax, tags, moves, positions, results, draws. */
export function check(inputs: Inputs, options?: CheckOptions): Promise<CheckResult>;

/** What a code means. */
export interface Explanation {
  code: string;
  severity: Severity;
  meaning: string;
  /** A record with such a diagnostic. */
  example: string | null;
}

/** Explains a code. */
export function explain(code: string): Promise<Explanation>;

/** Returns all codes. */
export function codes(): Promise<string[]>;

// --------------------------------------------------------------------------------------------------- Canonical form

export interface FmtOptions extends TextOptions {
  /** Maximum width of a line, 80 unless given. */
  width?: number;
  /** How to write moves: `short` unless given. */
  notation?: "short" | "full" | "written";
  /** How to write results: as usual for the variant unless given. */
  resultStyle?: "2-0" | "1-0";
  /** Names squares as this GameType does. */
  gameType?: string;
  /** Keep comments and variations; true unless given. */
  comments?: boolean;
  variations?: boolean;
  /** End games with their results. */
  results?: boolean;
  /** Write only what the strict grammar prefers. */
  strict?: boolean;
}

/** A repair of a record. */
export interface Edit {
  file: string;
  game: number;
  /** What was changed: bytes of the decompressed file, and its place. */
  offset: number;
  length: number;
  line: number;
  column: number;
  message: string;
}

export interface FmtResult extends TextResult {
  /** The repairs in the order of the text, and notes about variants in doubt. */
  edits: Edit[];
}

/** Writes records in canonical PDN 3.0. `errors` counts what is left. */
export function fmt(inputs: Inputs, options?: FmtOptions): Promise<FmtResult>;

/** Writes records in canonical form and repairs what has exactly one reading. For one game, pass its text. */
export function fix(inputs: Inputs, options?: FmtOptions): Promise<FmtResult>;

// ------------------------------------------------------------------------------------------------------- Conversion

export interface ConvertOptions extends TextOptions {
  to: "csv" | "json" | "jsonl" | "pdn" | "fen";
  /** For CSV: a row for each of these; `games` unless given. */
  table?: "games" | "moves" | "positions" | "players" | "diagnostics";
  /** For CSV: put an apostrophe before text that a spreadsheet would take for a formula. */
  escapeFormulas?: boolean;
}

/** Converts records. */
export function convert(inputs: Inputs, options: ConvertOptions): Promise<TextResult>;

export interface ReportOptions extends TextOptions {
  lang?: "en" | "nl" | "fr" | "it" | "pt" | "ru";
}

/** Writes games as one HTML page that needs nothing else. */
export function report(inputs: Inputs, options?: ReportOptions): Promise<TextResult>;

// ------------------------------------------------------------------------------------------------------------- Rows

/** White's point of view: centi-men, or plies to the end. */
export type Evaluation = { cm: number } | { win: number; winner: "W" | "B" };

/** A move, as in `pdn convert --to jsonl` and, where judged, `pdn annotate --to jsonl`. */
export interface MoveRow {
  ply: number;
  number: number | null;
  side: "W" | "B";
  legal: boolean;
  written: string;
  notation: string | null;
  from: number | null;
  to: number | null;
  captured: number[];
  fen: string | null;
  clock: number | null;
  eval: Evaluation | null;
  nags: number[];
  comment: string | null;
  intro?: string;
  setups?: string[];
  variations: MoveRow[][];
  judgement?: "inaccuracy" | "mistake" | "blunder" | null;
  best?: string | null;
  expectation?: [number, number] | null;
  forced?: boolean;
}

/** A game, as in `pdn convert --to jsonl`. */
export interface GameRow {
  schema: number;
  file: string;
  game: number;
  offset: number;
  variant: VariantName | null;
  gametype: string | null;
  tags: Record<string, string>;
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
  comment: string | null;
  end_comment?: string;
  diagnostics: Diagnostic[];
  accuracy?: { W: number | null; B: number | null };
  average_loss_cm?: { W: number | null; B: number | null };
  moves: MoveRow[];
}

/** Reads games as rows, one after the other. */
export function games(inputs: Inputs, options?: ReadOptions): AsyncIterableIterator<GameRow>;

export interface ReportRowsOptions extends ReadOptions {
  /** Only `head`: fast, for lists of many games. */
  heads?: boolean;
}

/** What a list of games shows of one. Texts have no control characters and no marks that reorder them. */
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
  head: ReportHead;
  /** The moves, as `src/report/page/model.js` reads them; absent with `heads`. */
  body?: ReportBody;
  /** The text of the record; absent with `heads`. */
  record?: string;
}

/**
 * The body of a game: `start` has a letter for each square of the board (`w b W B .`); a move is
 * `[ply, written, change?, evaluation?, more?]` with a negative ply for Black's, where `change` is the side to move and then
 * place (two digits to the base 36) and letter of each changed square, those of the first and the last square first.
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

/** The squares of a board, in the order in which `letters`, `start` and `change` have them. */
export interface Board {
  variant: VariantName;
  width: number;
  height: number;
  /** Whether all squares are played on. */
  plain: boolean;
  /** Whether squares have names such as `c3`. */
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
  /** The position at the start. */
  fen: string;
  width: number;
  height: number;
  starts: "W" | "B";
}

/** Returns the built-in variants. */
export function variants(): Promise<Variant[]>;

/** A variant for a position; `international` unless given. */
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
  /** Places on the board, as in `Board`: of the whole way of the piece, and of the captured pieces. */
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

/** Reads a position; without a FEN, the start of the variant. */
export function position(fen?: string | null, options?: PositionOptions): Promise<PositionRow>;

/** A line of moves from a position. */
export interface Played extends PositionRow {
  /** The moves that were played. */
  played: BoardMove[];
  /** Why the next move could not be played, if one could not. */
  error: string | null;
}

/** Plays moves (`"32-28 19-23"`, numbers may be among them) from a position, or from the start of the variant. */
export function play(
  fen: string | null,
  moves: string | string[],
  options?: PositionOptions,
): Promise<Played>;

// ------------------------------------------------------------------------------------------------------ Collections

export interface SearchOptions extends TextOptions {
  /** An expression over tags, such as `year >= 1990 and White ~ "sijbrands"`. */
  where?: string;
  /** A position; `?` as the side to move means either side. */
  fen?: string;
  /** Squares, such as `28=w 24=. *=!B`. */
  pattern?: string;
  /** Such as `kings=0 white<=5`. */
  material?: string;
  /** Consecutive moves. */
  sequence?: string;
  mirror?: boolean;
  /** Look in variations too; true unless given. */
  variations?: boolean;
  /** Find the games that do not match. */
  invert?: boolean;
  /** `pdn` (the bytes of the games) unless given; `none` only counts and lists. */
  to?: "pdn" | "jsonl" | "csv" | "none";
}

export interface SearchResult extends TextResult {
  count: number;
  /** The games that were found. */
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
  /** Begin at this position, wherever games reach it. */
  fen?: string;
  /** Depth of the tree, 2 unless given. */
  plies?: number;
  /** Leave out moves played in fewer games. */
  minGames?: number;
  /** Names of openings: the text of a file of names. */
  names?: string;
}

/** Returns the moves played from a position, and how they scored. */
export function openings(inputs: Inputs, options?: OpeningsOptions): Promise<OpeningTree>;

export interface Standing {
  rank: number;
  name: string;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  points: number;
  solkoff: number;
  sonneborn_berger: number;
  mutual: number;
  rating: number | null;
  performance: number | null;
}

/** A tournament, as in `pdn event --format json`. */
export interface EventRow {
  event: string | null;
  players: Standing[];
  rounds: number | null;
  pairings: unknown[];
  matches: unknown[];
  diagnostics: Diagnostic[];
}

export interface EventOptions extends ReadOptions {
  /** Points of a win, a draw and a loss; 2, 1 and 0 unless given. */
  points?: [number, number, number];
  tieBreaks?: ("wins" | "mutual" | "sonneborn-berger" | "solkoff")[];
  /** Other spellings of players and events: lines `alias = name`. */
  aliases?: string;
}

/** Returns the tables of each event. */
export function event(inputs: Inputs, options?: EventOptions): Promise<EventRow[]>;

/** Returns the tables of all events as CSV (standings) or as an HTML page. */
export function eventText(inputs: Inputs, options: EventOptions & { to: "csv" | "html" }): Promise<string>;

export interface StatsOptions extends ReadOptions {
  /** Largest number of groups of each kind; all unless given. */
  top?: number;
  /** Names of openings: the text of a file of names. */
  names?: string;
}

/** What a collection holds, as in `pdn stats --format json`. */
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
  diagnostics: { errors: number; warnings: number; notes: number; codes: { code: string; count: number }[] };
}

/** Counts what a collection holds. */
export function stats(inputs: Inputs, options?: StatsOptions): Promise<StatsRow>;

// ----------------------------------------------------------------------------------------------------------- Engine

export interface EngineOptions extends PositionOptions {
  /** Size of the transposition table in megabytes, 16 unless given. */
  hash?: number;
  /** Number of lines, 1 unless given. */
  lines?: number;
}

/** Limits of a search; the first one reached ends it. Without any it ends when `signal` is given or `stop` is called. */
export interface Limits {
  depth?: number;
  nodes?: number;
  /** Milliseconds. */
  time?: number;
}

export interface AnalyseOptions extends Limits {
  /** Moves played from the position before the search, as text: repetitions are seen. */
  moves?: string | string[];
  /** Called when the search is deeper or better. */
  onInfo?: (analysis: Analysis) => void;
  /**
   * Ends the search, whose result is then what was found so far. A search by depth or nodes alone runs in one step, so that
   * its result is the same everywhere, and only ending its worker stops it; any other is served in steps of 0.1 seconds.
   */
  signal?: AbortSignal;
}

export interface Line {
  eval: Evaluation;
  moves: string[];
  /** The first and the last place of each move on the board, as in `Board`. */
  places: [number, number][];
}

export interface Analysis {
  fen: string;
  depth: number;
  nodes: number;
  /** Milliseconds so far. */
  time: number;
  /** The best first; empty if there is no legal move. */
  lines: Line[];
  /** The verdict of the endgame databases for the side to move, and plies to the end where known. */
  value: "win" | "draw" | "loss" | null;
  plies: number | null;
}

/** An engine for one variant, with its own instance of the module. */
export class Engine {
  private constructor();
  /** Loads the module with its files for the variant, and makes an engine. */
  static create(options?: EngineOptions): Promise<Engine>;
  readonly variant: VariantName;
  /** Searches a position. One search at a time; a second call waits for the first. */
  analyse(fen: string, options?: AnalyseOptions): Promise<Analysis>;
  /** Ends the search, as `signal` does. */
  stop(): void;
  /** Sets the number of lines. */
  setLines(lines: number): void;
  /** Forgets earlier searches. */
  newGame(): void;
  /** Frees its memory. */
  free(): void;
}

// --------------------------------------------------------------------------------------------------------- Annotate

export interface AnnotateProgress {
  /** Games and moves that are done. */
  games: number;
  moves: number;
  /** All games and moves of the run. */
  allGames: number;
  allMoves: number;
  /** The work that is left as a multiple of the work that was done; null until it can be estimated. */
  left: number | null;
}

export interface AnnotateOptions extends Omit<TextOptions, "onProgress"> {
  depth?: number;
  /** Nodes for each position; 100,000 unless a depth is given. */
  nodes?: number;
  /** Times the limit for the search that confirms a mark, 8 unless given. */
  confirm?: number;
  /** The best moves of each position, 1 unless given. */
  lines?: number;
  /** Annotate the moves of variations too. */
  variations?: boolean;
  /** Keep the evaluations that records have. */
  keepEvals?: boolean;
  /** Only the moves of players whose name contains this. */
  player?: string;
  side?: "W" | "B";
  fromPly?: number;
  toPly?: number;
  /** Size of the transposition table in megabytes, 16 unless given. */
  hash?: number;
  scale?: number;
  /** Least losses of an inaccuracy, a mistake and a blunder, in points; 0.1, 0.15 and 0.2 unless given. */
  thresholds?: [number, number, number];
  /** Other names of players: lines `alias = name`. */
  aliases?: string;
  to?: "pdn" | "json" | "jsonl" | "csv";
  /** For CSV; `moves` unless given. */
  table?: "moves" | "players";
  /**
   * Only the games with these indices, from 0 over all inputs, the second one excluded. The outputs of consecutive ranges,
   * joined, are the output of one run: workers share a collection so, and a page goes on where it stopped.
   */
  range?: [number, number];
  /** Called after each step of a game. */
  onProgress?: (progress: AnnotateProgress) => void;
  /** Receives the text of each game when it is done, with its index from 0 over all inputs. */
  onGame?: (index: number, text: string) => void;
}

export interface AnnotateResult extends TextResult {
  /** Number of games that were annotated. */
  games: number;
}

/**
 * Adds the engine's evaluations, marks and best lines to records: the bytes of `pdn annotate` with the same options.
 * `signal` is obeyed between games.
 */
export function annotate(inputs: Inputs, options?: AnnotateOptions): Promise<AnnotateResult>;
