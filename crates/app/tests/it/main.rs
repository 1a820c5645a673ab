//! The real binary on a real database file, spoken to over HTTP.

mod accounts;
mod achievements;
mod admin;
mod attacks;
mod commands;
mod crash;
mod database;
mod events;
mod harness;
mod headers;
mod ideas;
mod journeys;
mod limits;
mod lnbits;
mod lnbits_server;
mod load;
mod logs;
mod metrics;
mod races;
mod refusals;
mod routes;
mod table;
mod table_run;
mod wire;
mod writers;
