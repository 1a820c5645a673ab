use actix_web::{HttpRequest, web};
use bolts_kernel::BetId;
use bolts_ports::{BetKey, BetView};

use super::cards::{Printed, bet_card, site_card};
use super::head::Head;
use super::origin;
use super::words::Told;
use crate::reads::{is_of_visitor, read_public};
use crate::server::State;

const ABOUT: &str = "Peer-to-peer betting without a house edge: make a bet, share it, settle it together.";

/// A page that is the same for all bets and users: the first part of its path, its title, and the path under which search
/// engines list it.
type Fixed = (&'static str, &'static str, Option<&'static str>);

/// The pages whose texts do not depend on data. A page that shows a user's own data has no canonical path.
const PAGES: [Fixed; 11] = [
    ("", "Bolts: peer-to-peer bets", Some("/")),
    ("landing", "Bolts: peer-to-peer bets", Some("/")),
    ("auth", "Sign in · Bolts", Some("/auth")),
    ("marketplace", "Bet Marketplace · Bolts", Some("/marketplace")),
    ("portfolio", "Portfolio · Bolts", None),
    ("dashboard", "Portfolio · Bolts", None),
    ("create-bet", "Create a bet · Bolts", None),
    ("create", "Create a bet · Bolts", None),
    ("achievements", "Achievements · Bolts", None),
    ("account", "Account · Bolts", None),
    ("admin", "Admin · Bolts", None),
];

/// What the head of a page says about the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageHead {
    /// The tags as HTML.
    pub html: String,
    /// Whether search engines may list the page. The address of any other page may contain a share token, or the page
    /// shows a user's own data.
    pub is_listed: bool,
}

impl PageHead {
    fn of(head: &Head, origin: Option<&str>) -> Self {
        Self { html: head.html(origin), is_listed: head.canonical.is_some() }
    }
}

/// The head of the page at the request's path. The page of a private bet, of an unknown bet, and of a bet that cannot be
/// read have the same head, for every user.
pub async fn page_head(request: &HttpRequest) -> PageHead {
    let Some(state) = request.app_data::<web::Data<State>>() else { return PageHead::of(&generic(), None) };
    let head = match parts(request.path()) {
        ("bet", Some(key)) => match shown(state, key, is_of_visitor(request)).await {
            Some(view) => about_bet(state, &view),
            None => generic(),
        },
        ("bet" | "share", _) => generic(),
        (first, None) => fixed(first),
        (_, Some(_)) => fixed("no such page"),
    };
    PageHead::of(&head, origin(request, &state.settings).as_deref())
}

/// The first part of a path, and the rest. A slash at the end makes no difference.
fn parts(path: &str) -> (&str, Option<&str>) {
    let path = path.trim_matches('/');
    path.split_once('/').map_or((path, None), |(first, rest)| (first, Some(rest)))
}

/// The public bet with this key. A token is not looked up, because only private bets have one.
async fn shown(state: &web::Data<State>, key: &str, is_visitor: bool) -> Option<BetView> {
    let id: BetId = key.parse().ok()?;
    public_bet(state, id, is_visitor).await.unwrap_or_else(|problem| {
        tracing::warn!(%problem, "a page has no tags about its bet");
        None
    })
}

/// The bet, if everybody may see it.
pub(crate) async fn public_bet(
    state: &web::Data<State>,
    id: BetId,
    is_visitor: bool,
) -> Result<Option<BetView>, crate::error::Problem> {
    let seen = read_public(state, is_visitor, move |app| app.see_bet(&BetKey::Id(id), None, None)).await?;
    Ok(seen.map(|seen| seen.view))
}

fn about_bet(state: &State, view: &BetView) -> Head {
    let told = told(state, view);
    let title = &view.bet.terms.title;
    head(
        told.title(),
        told.description(),
        Some(format!("/bet/{}", view.bet.id)),
        &bet_card(told),
        format!("The slip of the bet “{}”: {}", &**title, told.status()),
    )
}

/// The bet with what its texts depend on.
pub(crate) fn told<'a>(state: &State, view: &'a BetView) -> Told<'a> {
    Told { view, now: state.app.now(), is_test_mode: state.is_test_mode() }
}

/// The tags of a page that must not say anything about a bet.
fn generic() -> Head {
    let description = "Somebody shares a bet with you. Open the link to read its terms.";
    of_site("A bet on Bolts", description, None)
}

fn fixed(first: &str) -> Head {
    match PAGES.into_iter().find(|(name, ..)| *name == first) {
        Some((_, title, canonical)) => of_site(title, ABOUT, canonical),
        None => of_site("Bolts", ABOUT, None),
    }
}

fn of_site(title: &str, description: &str, canonical: Option<&str>) -> Head {
    let text = "Bolts: peer-to-peer bets".to_owned();
    head(title.to_owned(), description.to_owned(), canonical.map(str::to_owned), &site_card(), text)
}

fn head(
    title: String,
    description: String,
    canonical: Option<String>,
    card: &Printed,
    card_text: String,
) -> Head {
    Head { title, description, canonical, card: card.key.path(), card_text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_a_first_part_and_a_rest() {
        for (path, expected) in [
            ("/", ("", None)),
            ("/auth", ("auth", None)),
            ("/auth/", ("auth", None)),
            ("/bet/1", ("bet", Some("1"))),
            ("/bet/1/", ("bet", Some("1"))),
            ("/bet/1/more", ("bet", Some("1/more"))),
        ] {
            assert_eq!(parts(path), expected, "{path}");
        }
    }

    #[test]
    fn search_engines_list_only_pages_for_all() {
        let listed: Vec<_> = PAGES.iter().filter(|page| page.2.is_some()).map(|page| page.0).collect();
        assert_eq!(listed, ["", "landing", "auth", "marketplace"]);
        assert_eq!(fixed("nothing").canonical, None);
        assert_eq!(generic().canonical, None);
    }
}
