//! The adapters against a scripted server: signatures, refusals, redirects, private addresses.

mod push;
mod webhook;

/// Runs a future with the timers and sockets of tokio.
fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(future)
}
