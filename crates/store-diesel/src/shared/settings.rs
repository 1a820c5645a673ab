use bolts_ports::{Result, Settings};
use diesel::prelude::*;

use super::reserve;
use super::transaction::Transaction;
use crate::schema::settings;

impl Settings for Transaction<'_> {
    fn get(&mut self, name: &str) -> Result<Option<String>> {
        self.run(|conn| {
            reserve(conn, "setting", name)?;
            let value = settings::table.find(name).select(settings::value);
            locked!(value).get_result(conn).optional()
        })
    }

    fn put(&mut self, name: &str, value: &str) -> Result<()> {
        self.run(|conn| {
            diesel::insert_into(settings::table)
                .values((settings::name.eq(name), settings::value.eq(value)))
                .on_conflict(settings::name)
                .do_update()
                .set(settings::value.eq(value))
                .execute(conn)
        })
        .map(drop)
    }

    fn put_first(&mut self, name: &str, value: &str) -> Result<String> {
        self.run(|conn| {
            diesel::insert_into(settings::table)
                .values((settings::name.eq(name), settings::value.eq(value)))
                .on_conflict_do_nothing()
                .execute(conn)?;
            settings::table.find(name).select(settings::value).get_result(conn)
        })
    }
}
