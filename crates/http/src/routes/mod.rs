//! The routes: one function for each operation of the API.

pub(crate) mod accounts;
pub(crate) mod achievements;
pub(crate) mod admin;
pub(crate) mod admin_users;
pub(crate) mod bet_actions;
pub(crate) mod bets;
pub(crate) mod deposits;
pub(crate) mod events;
pub(crate) mod health;
pub(crate) mod ideas;
pub(crate) mod lists;
pub(crate) mod notifications;
pub(crate) mod wallet;
pub(crate) mod withdrawals;

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, LOCATION};
use actix_web::web::{self, ServiceConfig, delete, get, patch, post, resource};
use actix_web::{HttpResponse, ResponseError};

use crate::error::Problem;

/// Registers a path with its methods. Other methods get 405 with `Allow`.
macro_rules! at {
    ($config:ident, $path:literal, $($method:ident => $handler:path),+ $(,)?) => {
        $config.service(
            resource($path)
                $(.route($method().to($handler)))+
                .default_service(web::to(|| async { method_not_allowed(&[$(stringify!($method)),+]) })),
        );
    };
}

/// Registers all operations of the API, and the health checks.
pub(crate) fn configure(config: &mut ServiceConfig) {
    at!(config, "/healthz", get => health::alive);
    at!(config, "/readyz", get => health::ready);
    at!(config, "/api/login", get => to_sign_in);
    at!(config, "/api/auth/user", get => accounts::current_user);
    at!(config, "/api/auth/register", post => accounts::register);
    at!(config, "/api/auth/login", post => accounts::login);
    at!(config, "/api/auth/logout", post => accounts::logout);
    at!(config, "/api/auth/profile", patch => accounts::profile);
    at!(config, "/api/auth/password", patch => accounts::password);
    at!(config, "/api/achievements", get => achievements::list);
    at!(config, "/api/achievements/claim-reward", post => achievements::claim);
    at!(config, "/api/users/stats", get => accounts::stats);
    at!(config, "/api/bets", post => bets::create);
    at!(config, "/api/bets/public", get => lists::public);
    at!(config, "/api/bets/my", get => lists::mine);
    at!(config, "/api/bets/total-count", get => lists::total_count);
    at!(config, "/api/bets/stats", get => lists::market_stats);
    at!(config, "/api/bets/accept", post => bet_actions::accept);
    at!(config, "/api/bets/share/{token}", get => bets::shared);
    at!(config, "/api/bets/{key}", get => bets::show, delete => bet_actions::remove);
    at!(config, "/api/bets/{key}/timeline", get => bets::timeline);
    at!(config, "/api/bets/{key}/early-resolution", post => bet_actions::end_early);
    at!(config, "/api/bets/{key}/propose-resolution", post => bet_actions::propose);
    at!(config, "/api/bets/{key}/respond-resolution", post => bet_actions::respond);
    at!(config, "/api/bets/{key}/dispute", post => bet_actions::dispute);
    at!(config, "/api/config", get => deposits::config);
    at!(config, "/api/deposit/create-invoice", post => deposits::create);
    at!(config, "/api/deposit/check-status/{id}", get => deposits::status);
    at!(config, "/api/deposit/webhook/{id}", post => deposits::webhook);
    at!(config, "/api/deposit/test-add", post => deposits::test_add);
    at!(config, "/api/withdrawals", get => withdrawals::list, post => withdrawals::create);
    at!(config, "/api/withdrawals/quote", post => withdrawals::quote);
    at!(config, "/api/withdrawals/test-invoice", post => withdrawals::test_invoice);
    at!(config, "/api/withdrawals/{id}", get => withdrawals::show);
    at!(config, "/api/wallet/history", get => wallet::history);
    at!(config, "/api/wallet/history.csv", get => wallet::history_csv);
    at!(config, "/api/generate-bet-idea", post => ideas::generate);
    at!(config, "/api/complete-bet-idea", post => ideas::complete);
    at!(config, "/api/check-bet-wording", post => ideas::check);
    at!(config, "/api/events", get => events::stream);
    at!(config, "/api/notifications", get => notifications::list);
    at!(config, "/api/notifications/clear-all", delete => notifications::clear);
    at!(config, "/api/notifications/{id}/read", post => notifications::read);
    at!(config, "/api/admin/disputes", get => admin::disputes);
    at!(config, "/api/admin/bets", get => admin::bets);
    at!(config, "/api/admin/bets/{key}", delete => admin::remove);
    at!(config, "/api/admin/bets/{key}/refund", post => admin::refund);
    at!(config, "/api/admin/bets/{key}/rule", post => admin::rule);
    at!(config, "/api/admin/actions", get => admin::actions);
    at!(config, "/api/admin/withdrawals", get => wallet::withdrawals);
    at!(config, "/api/admin/wallet", get => wallet::overview);
    at!(config, "/api/admin/deposit-bolts", post => admin_users::deposit_bolts);
    at!(config, "/api/admin/reset-password", post => admin_users::reset_password);
    config.service(
        web::scope("/api")
            .default_service(web::to(|| async { Err::<HttpResponse, _>(Problem::not_found()) })),
    );
}

async fn to_sign_in() -> HttpResponse {
    HttpResponse::Found().insert_header((LOCATION, "/auth")).finish()
}

fn method_not_allowed(methods: &[&str]) -> HttpResponse {
    let allowed: Vec<String> = methods.iter().map(|method| method.to_uppercase()).collect();
    let detail = "This address does not answer that method.";
    let mut response =
        Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", detail).error_response();
    if let Ok(value) = allowed.join(", ").parse() {
        response.headers_mut().insert(ALLOW, value);
    }
    response
}
