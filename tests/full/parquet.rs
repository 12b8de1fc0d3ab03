//! Tables as Parquet, read by the crate that wrote them and, where there is a Python with `duckdb`, by its SQL.

use std::collections::BTreeMap;
use std::fs::File;
use std::process::Command;

use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Row;
use pdn::export::{Column, Table};
use serde_json::Value;

use crate::support::binary::Folder;
use crate::support::corpus::skip;

const ANNOTATED: &str = "[Event \"=Club, open\"]\n[White \"Ada\"]\n[Black \"Ben\"]\n[Date \"2001.05.06\"]\n[Result \"0-2\"]\n\
    [GameType \"20\"]\n[WhiteRating \"2100\"]\n\n1. 32-28 {[%eval 0.10]} 20-25 {[%eval 0.12]} 2. 28-23 $4 {[%eval -1.00]} \
    (2. 34-29 {[%eval 0.12]}) 19x28 {[%eval -1.00]} 3. 33x22 0-2\n\n[White \"Ben\"]\n[Black \"\"]\n[GameType \"20\"]\n1. 31-27 19-23 2. 1-2 *\n";

const DATA: &str = include_str!("../../docs/data.md");
const ANALYSTS: &str = include_str!("../../docs/first-analysts.md");

fn convert(folder: &Folder, table: Table) -> SerializedFileReader<File> {
    let name = format!("{}.parquet", table.name());
    folder.run(&["convert", "--table", table.name(), "a.pdn", "-o", &name, "-q"]).is(1);
    SerializedFileReader::new(File::open(folder.path(&name)).expect("a file")).expect("Parquet")
}

fn rows(reader: &SerializedFileReader<File>) -> Vec<Row> {
    reader.get_row_iter(None).expect("rows").map(|row| row.expect("a row")).collect()
}

fn cell(row: &Row, name: &str) -> String {
    let found = row.get_column_iter().find(|(known, _)| *known == name);
    found.unwrap_or_else(|| panic!("{name}")).1.to_string()
}

#[test]
fn every_table_has_its_columns_and_its_schema() {
    let folder = Folder::with("a.pdn", ANNOTATED);
    for (table, count) in
        [(Table::Games, 2), (Table::Moves, 8), (Table::Positions, 9), (Table::Players, 2), (Table::Diagnostics, 1)]
    {
        let reader = convert(&folder, table);
        let names: Vec<_> = table.columns().iter().map(Column::name).collect();
        let root = reader.metadata().file_metadata().schema();
        assert_eq!(root.get_fields().iter().map(|field| field.name()).collect::<Vec<_>>(), names);
        let metadata = reader.metadata().file_metadata().key_value_metadata().expect("metadata");
        let value = |key: &str| metadata.iter().find(|pair| pair.key == key).and_then(|pair| pair.value.as_deref());
        assert_eq!((value("pdn.table"), value("pdn.schema_version")), (Some(table.name()), Some("1")));
        assert!(rows(&reader).len() >= count, "{}: {}", table.name(), rows(&reader).len());
    }
}

#[test]
fn values_have_types_that_need_no_cast() {
    let folder = Folder::with("a.pdn", ANNOTATED);
    let games = rows(&convert(&folder, Table::Games));
    for (name, value) in [
        ("game", "1"),
        ("Event", "\"=Club, open\""),
        ("year", "2001"),
        ("played_on", "2001-05-06"),
        ("white_rating", "2100"),
        ("black_rating", "null"),
        ("white_points", "0"),
        ("black_points", "2"),
        ("white_blunders", "1"),
        ("eval_cm", "[10, 12, -100, -100, null]"),
        ("judgement", "[null, null, \"blunder\", null, null]"),
    ] {
        assert_eq!(cell(&games[0], name), value, "{name}");
    }
    assert_eq!(cell(&games[1], "moves"), "[\"31-27\", \"19-23\", \"1-2\"]");
    assert_eq!((cell(&games[1], "Black"), cell(&games[1], "year")), ("null".to_owned(), "null".to_owned()));
    let moves = rows(&convert(&folder, Table::Moves));
    assert_eq!(cell(&moves[3], "captured"), "[23]");
    assert_eq!((cell(&moves[2], "best"), cell(&moves[2], "judgement")), ("\"34-29\"".into(), "\"blunder\"".into()));
    let positions = rows(&convert(&folder, Table::Positions));
    assert_eq!((cell(&positions[0], "ply"), cell(&positions[0], "next_move")), ("0".into(), "\"32-28\"".into()));
    assert_eq!(cell(&positions[1], "position_key"), (0xbdc4_9606_92be_d7f0_u64 as i64).to_string());
}

#[test]
fn many_rows_are_many_row_groups() {
    let folder = Folder::with("a.pdn", "[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n\n".repeat(27_000));
    folder.run(&["convert", "--table", "positions", "a.pdn", "-o", "p.parquet"]).is(0);
    let reader = SerializedFileReader::new(File::open(folder.path("p.parquet")).expect("a file")).expect("Parquet");
    let groups: Vec<_> = reader.metadata().row_groups().iter().map(RowGroupMetaData::num_rows).collect();
    assert_eq!(groups.iter().sum::<i64>(), 5 * 27_000);
    assert_eq!(groups.len(), 2);
    let keys = reader.metadata().row_group(0).column(4);
    assert!(keys.bloom_filter_offset().is_some() && keys.statistics().is_some());
}

/// Returns the queries of the documentation.
fn queries() -> Vec<&'static str> {
    DATA.split("```sql\n").skip(1).filter_map(|part| part.split("```").next()).collect()
}

/// Other programs read as many rows.
const READERS: &str = "import duckdb, glob, importlib.util\n\
    has = importlib.util.find_spec\n\
    for name in glob.glob('*.parquet'):\n    \
        rows = duckdb.sql(f\"SELECT count(*) FROM '{name}'\").fetchall()[0][0]\n    \
        if has('polars'):\n        \
            import polars\n        \
            assert polars.read_parquet(name).height == rows\n    \
        if has('datafusion'):\n        \
            import datafusion\n        \
            assert datafusion.SessionContext().read_parquet(name).count() == rows\n";

/// Prints the rows of each query as JSON.
const PROGRAM: &str = "import duckdb, json, sys\nfor query in open(sys.argv[1]).read().split(';'):\n    if query.strip():\n        \
    print(json.dumps([[str(cell) for cell in row] for row in duckdb.sql(query).fetchall()]))\n";

/// A move in a position, by the FEN and the notation: games and points of White.
type Branches = BTreeMap<(String, String), (u64, u64)>;

fn collect(fen: &str, moves: &Value, all: &mut Branches) {
    for row in moves.as_array().into_iter().flatten() {
        let number = |name: &str| row[name].as_u64().expect(name);
        let notation = row["notation"].as_str().expect("a move").to_owned();
        all.insert((fen.to_owned(), notation), (number("games"), 2 * number("white_wins") + number("draws")));
        collect(row["fen"].as_str().expect("a FEN"), &row["moves"], all);
    }
}

const BRANCHES: &str = "import duckdb, json\n\
    for row in duckdb.sql(\"SELECT fen, next_move, count(DISTINCT game), coalesce(sum(white_points), 0)::INT FROM 'p.parquet' \
    WHERE ply < 10 AND next_move IS NOT NULL GROUP BY fen, next_move\").fetchall():\n    print(json.dumps(row))\n";

/// The tree of openings has the moves, games and points that SQL counts in the table of positions.
#[test]
fn openings_are_those_of_sql() {
    let Some(python) = std::env::var_os("PDN_DUCKDB_PYTHON") else {
        return skip("no DuckDB");
    };
    let records = include_str!("../../samples/games/international.pdn");
    let folder = Folder::with("a.pdn", records);
    folder.run(&["convert", "--table", "positions", "a.pdn", "-o", "p.parquet", "-q"]).is(0);
    let tree = folder.run(&["openings", "--plies", "10", "--format", "json", "a.pdn"]).is(0).values().remove(0);
    let mut expected = Branches::new();
    collect(tree["fen"].as_str().expect("a FEN"), &tree["moves"], &mut expected);
    let mut command = Command::new(&python);
    let output = command.current_dir(folder.path("")).args(["-c", BRANCHES]).output().expect("Python");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let rows = String::from_utf8_lossy(&output.stdout);
    let counted: Branches = rows
        .lines()
        .map(|line| serde_json::from_str::<(String, String, u64, u64)>(line).expect("a row"))
        .map(|(fen, notation, games, points)| ((fen, notation), (games, points)))
        .filter(|((fen, _), _)| expected.keys().any(|(known, _)| known == fen))
        .collect();
    assert!(expected.len() > 20);
    assert_eq!(counted, expected);
}

/// The program on the first page for analysts prints what is shown below it.
#[test]
fn the_first_question_has_the_answer_shown() {
    let Some(python) = std::env::var_os("PDN_DUCKDB_PYTHON") else {
        return skip("no DuckDB");
    };
    let block =
        |kind: &str| ANALYSTS.split_once(kind).and_then(|(_, rest)| Some(rest.split_once("```")?.0)).expect(kind);
    let folder = Folder::with("club.pdn", include_str!("../../docs/club.pdn"));
    folder.run(&["convert", "--table", "games", "club.pdn", "-o", "games.parquet"]).is(0);
    folder.write("question.py", block("```python\n"));
    let mut command = Command::new(&python);
    let output = command.current_dir(folder.path("")).arg("question.py").output().expect("Python");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim_end(), block("```text\n").trim_end());
}

/// `PDN_DUCKDB_PYTHON` is a Python that has the package `duckdb`.
#[test]
fn the_queries_of_the_documentation_have_answers() {
    let Some(python) = std::env::var_os("PDN_DUCKDB_PYTHON") else {
        return skip("no DuckDB");
    };
    let folder = Folder::with("a.pdn", ANNOTATED);
    let kings = "[GameType \"20\"]\n[FEN \"W:WK1,31:BK50,20\"]\n1. 31-27 *\n";
    folder.write("a.pdn", format!("{ANNOTATED}\n{ANNOTATED}\n{kings}"));
    for table in Table::ALL {
        convert(&folder, table);
    }
    folder.write("queries.sql", queries().concat());
    let run = |arguments: &[&str]| {
        let mut command = Command::new(&python);
        let output = command.current_dir(folder.path("")).args(arguments).output().expect("Python");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    run(&["-c", READERS]);
    let text = run(&["-c", PROGRAM, "queries.sql"]);
    let counts: Vec<usize> = answers(&text).iter().map(Vec::len).collect();
    assert!(counts.len() >= 10 && counts.len() == queries().len() && !counts.contains(&0), "{counts:?}");
    // The same answers from CSV, except for queries of lists.
    let of_csv = |query: &&str| !query.contains("moves[") && !query.contains("len(");
    let without_lists: Vec<_> = queries().into_iter().filter(of_csv).collect();
    assert!(without_lists.len() + 2 >= queries().len(), "{}", without_lists.len());
    for table in Table::ALL {
        let name = format!("{}.csv", table.name());
        folder.run(&["convert", "--table", table.name(), "a.pdn", "-o", &name, "-q"]).is(1);
    }
    // Keys of positions are hexadecimal in CSV, and numbers in Parquet.
    let named: String = without_lists.iter().filter(|query| !query.contains("_key")).copied().collect();
    folder.write("queries.sql", &named);
    let typed = run(&["-c", PROGRAM, "queries.sql"]);
    folder.write("queries.sql", named.replace(".parquet", ".csv"));
    assert_eq!(answers(&run(&["-c", PROGRAM, "queries.sql"])), answers(&typed));
    // The share of captures is that of the command for statistics.
    let stats = folder.run(&["stats", "--format", "json", "a.pdn"]).is(0).values().remove(0);
    let share = stats["captures"].as_f64().expect("captures") / stats["plies"].as_f64().expect("plies");
    let first = answers(&typed)[0][0].clone();
    assert_eq!(first[3], format!("{}", (share * 1000.0).round() / 1000.0));
}

/// Returns the rows that each query printed, as texts.
fn answers(text: &str) -> Vec<Vec<Vec<String>>> {
    text.lines().map(|line| serde_json::from_str(line).expect("rows")).collect()
}

#[cfg(unix)]
#[test]
fn a_disk_that_fills_up_leaves_no_table() {
    let folder = Folder::with("a.pdn", ANNOTATED.repeat(400));
    let output = folder.run_with_little_space(&["convert", "a.pdn", "-o", "a.parquet"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("cannot write"), "{errors}");
    assert_eq!(folder.names(), ["a.pdn"]);
}
