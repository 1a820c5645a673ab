//! Middleware for every request and answer: security headers, logs, a check of the origin, unread bodies, compression,
//! changes that are not on the disk yet, connections of a server that is about to stop.

mod compression;
mod draining;
mod headers;
mod log;
mod on_disk;
mod origin;
mod unread;

pub use compression::accepts;
pub(crate) use compression::{GZIP, compress, packed};
pub(crate) use draining::close_when_draining;
pub(crate) use headers::{OwnHeaders, security_headers};
pub(crate) use log::log_and_name;
pub(crate) use on_disk::show_what_is_on_disk;
pub(crate) use origin::{refuse_other_sites, same_origin};
pub(crate) use unread::hold_chunked_body;
