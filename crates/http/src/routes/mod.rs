//! The routes: one function for each operation of the API.

pub(crate) mod accounts;
pub(crate) mod achievements;
pub(crate) mod admin_actions;
pub(crate) mod admin_bets;
pub(crate) mod admin_users;
pub(crate) mod admin_wallet;
pub(crate) mod arbiter;
pub(crate) mod bet_actions;
pub(crate) mod bets;
pub(crate) mod config;
pub(crate) mod deletion;
pub(crate) mod deposits;
pub(crate) mod events;
pub(crate) mod export;
pub(crate) mod factors;
pub(crate) mod health;
pub(crate) mod ideas;
pub(crate) mod keys;
pub(crate) mod lists;
pub(crate) mod mail;
pub(crate) mod messages;
pub(crate) mod notifications;
pub(crate) mod passkeys;
pub(crate) mod pictures;
pub(crate) mod preferences;
pub(crate) mod push;
pub(crate) mod sessions;
pub(crate) mod sharing;
pub(crate) mod users;
pub(crate) mod wallet;
pub(crate) mod webhook;
pub(crate) mod withdrawals;

use actix_web::dev::HttpServiceFactory;
use actix_web::http::header::{ALLOW, LOCATION};
use actix_web::middleware::from_fn;
use actix_web::web::{self, ServiceConfig, delete, get, patch, post, put, resource};
use actix_web::{HttpResponse, Resource, ResponseError};
use bolts_kernel::Code;
use utoipa::OpenApi;

use crate::error::Problem;
use crate::keys::admit;

/// Registers each path with its methods, and collects the handlers' annotations for the OpenAPI document.
macro_rules! operations {
    ($($path:literal { $($method:ident $module:ident :: $handler:ident),+ })+) => {
        fn register(config: &mut ServiceConfig) {
            // A request is compared with the paths in their order. A path with a parameter is a regular expression, so it
            // comes after all fixed paths.
            for has_parameter in [false, true] {
                $(if $path.contains('{') == has_parameter {
                    let routes = resource($path)$(.route($method().to($module::$handler)))+;
                    config.service(guarded(routes, $path, &[$(stringify!($method)),+]));
                })+
            }
        }

        /// The operations of the OpenAPI document.
        #[derive(OpenApi)]
        #[openapi(paths($($($module::$handler,)+)+))]
        pub(crate) struct Operations;
    };
}

operations! {
    "/healthz" { get health::alive }
    "/readyz" { get health::ready }
    "/og/{key}.png" { get sharing::card }
    "/robots.txt" { get sharing::robots }
    "/sitemap.xml" { get sharing::sitemap }
    "/sitemap/{part}.xml" { get sharing::sitemap_part }
    "/api/auth/user" { get accounts::current_user }
    "/api/auth/register" { post accounts::register }
    "/api/auth/login" { post accounts::login }
    "/api/auth/logout" { post accounts::logout }
    "/api/auth/login/factor" { post factors::login }
    "/api/auth/login/factor/options" { post passkeys::second_step_options }
    "/api/auth/login/passkey" { post passkeys::sign_in }
    "/api/auth/login/passkey/options" { post passkeys::sign_in_options }
    "/api/auth/step-up" { post factors::step_up }
    "/api/auth/step-up/options" { post passkeys::step_up_options }
    "/api/auth/factors" { get factors::show }
    "/api/auth/totp" { post factors::begin_totp, delete factors::remove_totp }
    "/api/auth/totp/confirm" { post factors::confirm_totp }
    "/api/auth/passkeys" { post passkeys::add }
    "/api/auth/passkeys/options" { post passkeys::registration_options }
    "/api/auth/passkeys/{id}" { patch passkeys::rename, delete passkeys::remove }
    "/api/auth/recovery-codes" { post passkeys::replace_codes }
    "/api/auth/sessions" { get sessions::list }
    "/api/auth/sessions/end-others" { post sessions::end_others }
    "/api/auth/sessions/{id}" { delete sessions::end }
    "/api/auth/keys" { get keys::list, post keys::make }
    "/api/auth/keys/{id}" { delete keys::revoke }
    "/api/auth/profile" { patch accounts::profile }
    "/api/auth/password" { patch accounts::password }
    "/api/auth/email" { get mail::state, patch mail::change }
    "/api/auth/verify-email/request" { post mail::request_verification }
    "/api/auth/verify-email" { post mail::verify }
    "/api/auth/password-reset/request" { post mail::request_reset }
    "/api/auth/password-reset" { post mail::reset }
    "/api/account" { delete deletion::delete }
    "/api/account/deletion" { get deletion::obstacles }
    "/api/account/export" { get export::export }
    "/api/unsubscribe/{token}" { get mail::unsubscribe_page, post mail::unsubscribe }
    "/api/achievements" { get achievements::list }
    "/api/achievements/claim-reward" { post achievements::claim }
    "/api/users/stats" { get users::stats }
    "/api/users/search" { get users::search }
    "/api/bets" { post bets::create }
    "/api/bets/public" { get lists::public }
    "/api/bets/my" { get lists::mine }
    "/api/bets/arbitrated" { get lists::arbitrated }
    "/api/bets/turn-count" { get lists::turn_count }
    "/api/bets/total-count" { get lists::total_count }
    "/api/bets/stats" { get lists::market_stats }
    "/api/bets/accept" { post bet_actions::accept }
    "/api/bets/share/{token}" { get bets::shared }
    "/api/bets/{key}" { get bets::show, delete bet_actions::remove }
    "/api/bets/{key}/timeline" { get bets::timeline }
    "/api/bets/{key}/early-resolution" { post bet_actions::end_early }
    "/api/bets/{key}/propose-resolution" { post bet_actions::propose }
    "/api/bets/{key}/respond-resolution" { post bet_actions::respond }
    "/api/bets/{key}/dispute" { post bet_actions::dispute }
    "/api/bets/{key}/arbiter" { post arbiter::answer }
    "/api/bets/{key}/rule" { post arbiter::rule }
    "/api/bets/{key}/messages" { get messages::list, post messages::write }
    "/api/bets/{key}/pictures" { post pictures::upload }
    "/api/messages/{id}" { delete messages::remove }
    "/api/pictures/{id}" { get pictures::show, delete pictures::remove }
    "/api/config" { get config::public }
    "/api/deposit/create-invoice" { post deposits::create }
    "/api/deposit/check-status/{id}" { get deposits::status }
    "/api/deposit/webhook/{id}" { post deposits::webhook }
    "/api/deposit/test-add" { post deposits::test_add }
    "/api/withdrawals" { get withdrawals::list, post withdrawals::create }
    "/api/withdrawals/quote" { post withdrawals::quote }
    "/api/withdrawals/test-invoice" { post withdrawals::test_invoice }
    "/api/withdrawals/{id}" { get withdrawals::show }
    "/api/wallet/history" { get wallet::history }
    "/api/wallet/history.csv" { get wallet::history_csv }
    "/api/generate-bet-idea" { post ideas::generate }
    "/api/complete-bet-idea" { post ideas::complete }
    "/api/check-bet-wording" { post ideas::check }
    "/api/events" { get events::stream }
    "/api/notifications" { get notifications::list }
    "/api/notifications/preferences" { get preferences::show, put preferences::store }
    "/api/notifications/push-subscriptions" { get push::list, post push::add, delete push::remove }
    "/api/notifications/push-subscriptions/test" { post push::test }
    "/api/notifications/push-subscriptions/{id}" { delete push::end }
    "/api/notifications/webhook" { get webhook::show, put webhook::store, delete webhook::remove }
    "/api/notifications/webhook/test" { post webhook::test }
    "/api/notifications/clear-all" { delete notifications::clear }
    "/api/notifications/read-all" { post notifications::read_all }
    "/api/notifications/{id}/read" { post notifications::read }
    "/api/admin/disputes" { get admin_bets::disputes }
    "/api/admin/bets" { get admin_bets::bets }
    "/api/admin/bets/{key}" { delete admin_bets::remove }
    "/api/admin/bets/{key}/refund" { post admin_bets::refund }
    "/api/admin/bets/{key}/rule" { post admin_bets::rule }
    "/api/admin/actions" { get admin_actions::list }
    "/api/admin/withdrawals" { get admin_wallet::withdrawals }
    "/api/admin/wallet" { get admin_wallet::overview }
    "/api/admin/deposit-bolts" { post admin_users::deposit_bolts }
    "/api/admin/reset-password" { post admin_users::reset_password }
}

/// Adds two rules to the routes of a path. A request with another method gets a 405 with the header `Allow`. A request with
/// an API key must pass the table of scopes first.
///
/// The macro does not contain these closures, because each of them would then have a type of its own for each path. The
/// compiler would make actix-web's resources and services for each of these types.
fn guarded(
    routes: Resource,
    path: &'static str,
    methods: &'static [&'static str],
) -> impl HttpServiceFactory + 'static {
    routes
        .wrap(from_fn(move |request, next| admit(path, request, next)))
        .default_service(web::to(move || async move { method_not_allowed(methods) }))
}

/// Registers all operations of the API, the health checks, and `/api/login`, which redirects to the sign-in page.
/// All other paths below `/api` get a 404.
pub(crate) fn configure(config: &mut ServiceConfig) {
    register(config);
    config.service(
        resource("/api/login")
            .route(get().to(to_sign_in))
            .default_service(web::to(|| async { method_not_allowed(&["get"]) })),
    );
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
    let mut response = Problem::new(Code::MethodNotAllowed, detail).error_response();
    if let Ok(value) = allowed.join(", ").parse() {
        response.headers_mut().insert(ALLOW, value);
    }
    response
}
