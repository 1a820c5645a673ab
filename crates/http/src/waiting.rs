//! The answers while the server waits at its start for its database.

use std::net::TcpListener;

use actix_web::dev::Server;
use actix_web::http::KeepAlive;
use actix_web::middleware::from_fn;
use actix_web::{App as Actix, HttpServer, ResponseError, web};

use crate::error::Problem;
use crate::middleware::security_headers;
use crate::routes::health;

/// The seconds that a request in flight may take when the wait ends. Each answer is immediate.
const LONGEST_STOP: u64 = 1;

/// Answers that the process lives and is not ready, and 503 to everything else, until the server is stopped. Each connection
/// is closed after its answer, so that no client keeps one when the site itself takes the address.
///
/// # Errors
/// If the listener cannot be used.
pub fn serve_waiting(listener: TcpListener) -> std::io::Result<Server> {
    let server = HttpServer::new(|| {
        Actix::new()
            .wrap(from_fn(security_headers))
            .route("/healthz", web::get().to(health::alive))
            .route("/readyz", web::get().to(async || health::not_ready()))
            .default_service(web::to(async || Problem::unavailable().error_response()))
    });
    let server = server.workers(1).keep_alive(KeepAlive::Disabled).disable_signals();
    Ok(server.shutdown_timeout(LONGEST_STOP).listen(listener)?.run())
}
