//! Records as tables in Parquet.

use std::io::{IsTerminal as _, stdout};

use super::{Options, players, status};
use crate::check::{PlainDetail, PlainGame, Review, Summary};
use crate::cli::context::{Context, Status, Step};
use crate::cli::games::{ChunkOrigin, Games, Reviewing};
use crate::error::{Error, Result};
use crate::export::{ParquetRows, ParquetWriter, Table};
use crate::pdn::Outside;
use crate::records::PlayerTable;

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    if !context.out.is_file() && stdout().is_terminal() {
        return Err(Error::usage("Parquet is not text: use -o FILE, or send the output to a file or a program"));
    }
    let table = Table::from(options.table);
    let work = Reviewing { games: &Rows(table), options: context.check_options(&options.files) };
    let (mut summary, mut players) = (Summary::default(), PlayerTable::default());
    let mut writer = ParquetWriter::new(table);
    context.read(&options.files, &work, |context, step| {
        let Step::Done(done) = step else { return Ok(()) };
        summary += &done.summary;
        players += done.players;
        done.rows.map_or(Ok(()), |rows| context.out.bytes(&writer.add(rows)))
    })?;
    let mut rows = ParquetRows::new(table);
    players.rows().for_each(|row| rows.add_player(&row));
    context.out.bytes(&writer.add(rows))?;
    context.out.bytes(&writer.finish())?;
    Ok(status(&summary, context))
}

/// Collects the rows of a table.
struct Rows(Table);

#[derive(Default)]
struct Converted {
    rows: Option<ParquetRows>,
    players: PlayerTable,
    summary: Summary,
}

impl Converted {
    fn rows(&mut self, table: Table) -> &mut ParquetRows {
        self.rows.get_or_insert_with(|| ParquetRows::new(table))
    }
}

impl Games for Rows {
    type Done = Converted;

    fn game(&self, review: Review, origin: &mut ChunkOrigin<'_>, done: &mut Converted) {
        done.summary.count_game(&review);
        if self.0 == Table::Players {
            done.players += players(&review, origin);
            return;
        }
        // The games have their moves as lists.
        let table = if self.0 == Table::Games { Table::Moves } else { self.0 };
        let mut row = origin.table_row(&review, table);
        row.add_around(&origin.around);
        row.assess();
        done.rows(self.0).add_game(&row);
    }

    fn plain_detail(&self) -> Option<PlainDetail> {
        match self.0 {
            Table::Diagnostics => Some(PlainDetail::Heads),
            Table::Players => None,
            Table::Games | Table::Moves | Table::Positions | Table::Index => Some(PlainDetail::Moves),
        }
    }

    fn plain(&self, game: PlainGame, number: u64, origin: &mut ChunkOrigin<'_>, done: &mut Converted) {
        done.summary.count_plain(&game);
        let mut row = origin.plain_row(&game, number);
        row.add_around(&origin.around);
        if self.0 == Table::Diagnostics {
            row.diagnostics = origin.plain_diagnostics(&game, number);
        }
        done.rows(self.0).add_game(&row);
    }

    fn outside(&self, outside: &Outside, origin: &mut ChunkOrigin<'_>, done: &mut Converted) {
        done.summary.count(&outside.diagnostic);
        let row = origin.diagnostic_row(&outside.diagnostic, 0, 0);
        done.rows(self.0).add_diagnostic(&row);
    }
}
