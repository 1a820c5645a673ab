//! The HTTP adapter: routes, JSON, errors and the session cookie. This crate calls the use cases and does not
//! depend on a database.

mod body;
mod client_ip;
mod connection;
mod device;
mod dto;
mod error;
mod form;
mod held;
mod hub;
mod idempotency;
mod keys;
mod last_hints;
mod lookups;
mod middleware;
mod openapi;
mod paging;
mod reads;
mod routes;
mod scopes;
mod server;
mod session;
mod shared_reads;
mod sharing;
mod uploads;
mod user_agent;
mod waiting;

pub use error::Problem;
pub use hub::Hub;
pub use middleware::accepts;
pub use openapi::{document, generated_document};
pub use server::{LONGEST_STOP, Parts, Settings, UiRoutes, serve};
pub use session::has_session_cookie;
pub use sharing::{PageHead, page_head};
pub use waiting::serve_waiting;
