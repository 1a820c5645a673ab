//! Invoices from Lightning addresses (`docs/lightning.md#lightning-addresses`).

use std::sync::Arc;

use bolts_kernel::{Amount, is_own, may_call};
use bolts_outbound::PublicOnly;
use bolts_ports::{AddressError, Clock, DecodedInvoice, LightningAddresses, Pending, SatsKind};
use bolts_wallet::Millisats;
use reqwest::Client;
use serde_json::Value;
use url::Url;

use crate::BadOption;
use crate::evidence::{millisats, shortened};
use crate::http::{Timeouts, ask, client};
use crate::invoice::decode;

/// The maximum length of a Lightning address. It is the limit of e-mail addresses, which have the same form.
const MAX_LENGTH: usize = 254;

/// The rules for calls to the servers of Lightning addresses.
#[derive(Clone, Copy, Debug)]
pub struct AddressOptions {
    /// The network that invoices must belong to.
    pub sats: SatsKind,
    /// Whether the client may call servers in private networks, also over http. If not, it calls only public
    /// addresses, and only over https. So no user can make this server send requests behind its firewall.
    pub allow_private: bool,
    /// The time-outs of each request.
    pub timeouts: Timeouts,
}

/// Asks the servers of Lightning addresses for invoices (LUD-16, LUD-06).
#[derive(Clone)]
pub struct Addresses {
    options: AddressOptions,
    clock: Arc<dyn Clock>,
    client: Client,
}

impl Addresses {
    /// A client with these options.
    ///
    /// # Errors
    /// [`BadOption`] if no HTTP client can be built.
    pub fn new(options: AddressOptions, clock: Arc<dyn Clock>) -> Result<Self, BadOption> {
        let resolver = Arc::new(PublicOnly { allow_private: options.allow_private });
        let client = client(Client::builder().dns_resolver(resolver), &options.timeouts)?;
        Ok(Self { options, clock, client })
    }

    async fn ask_for(&self, address: &str, amount: Amount) -> Result<DecodedInvoice, AddressError> {
        let url = self.url(address).ok_or(AddressError::Malformed)?;
        let offer = self.fetch(url).await?;
        self.take_up(&offer, amount).await
    }

    /// Requests the invoice from the callback URL of the offer (LUD-06). The callback may name any server, so the same
    /// rules apply to it as to the server of the address.
    async fn take_up(&self, offer: &Value, amount: Amount) -> Result<DecodedInvoice, AddressError> {
        let mut callback = judge_offer(offer, amount)?;
        let amount = Millisats::from_sats(amount);
        callback.query_pairs_mut().append_pair("amount", &amount.get().to_string());
        let answer = self.fetch(callback).await?;
        let invoice = answer.get("pr").and_then(Value::as_str).ok_or_else(|| wrong("it gave none"))?;
        self.judge_invoice(invoice, amount)
    }

    /// The URL that describes the payment terms of an address (LUD-16).
    fn url(&self, address: &str) -> Option<Url> {
        let (name, host) = address.trim().split_once('@')?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
        let is_host = |c: char| {
            c.is_ascii_alphanumeric() || "-.".contains(c) || (c == ':' && self.options.allow_private)
        };
        let fits = address.len() <= MAX_LENGTH
            && !name.is_empty()
            && name.chars().all(is_name)
            && !host.is_empty()
            && host.chars().all(is_host);
        let path = format!("{host}/.well-known/lnurlp/{}", name.to_ascii_lowercase());
        let url = fits.then(|| Url::parse(&format!("https://{path}")).ok())??;
        if self.options.allow_private && is_own(&url) {
            return Url::parse(&format!("http://{path}")).ok();
        }
        Some(url)
    }

    /// Calls a URL if the rules allow the call. For a host name, the resolver checks the IP addresses.
    async fn fetch(&self, url: Url) -> Result<Value, AddressError> {
        if !may_call(&url, self.options.allow_private) {
            return Err(AddressError::Unreachable("its server is not on the public internet".to_owned()));
        }
        let answer = ask(self.client.get(url), self.options.timeouts.answer).await;
        let answer = answer.map_err(|failure| AddressError::Unreachable(failure.into_words()))?;
        // LUD-06 reports errors with the HTTP status 200. Some servers use another status.
        if answer.text("status").is_some_and(|status| status.eq_ignore_ascii_case("ERROR")) {
            let reason = answer.text("reason").map(shortened).unwrap_or_default();
            return Err(AddressError::Refused(if reason.is_empty() {
                "no reason given".to_owned()
            } else {
                reason
            }));
        }
        match answer.status {
            200 => Ok(answer.body),
            404 => Err(AddressError::Refused("it knows no such address".to_owned())),
            status => Err(AddressError::Unreachable(format!("status {status}"))),
        }
    }

    /// Checks an invoice of the server. The description of the invoice may be any: LUD-06 asks for no hash of the metadata any
    /// more, and many servers cannot write one.
    fn judge_invoice(&self, invoice: &str, amount: Millisats) -> Result<DecodedInvoice, AddressError> {
        let decoded = decode(invoice).map_err(|error| wrong(&error.0))?;
        match &decoded {
            decoded if decoded.network != Some(self.options.sats) => Err(wrong("it is of another network")),
            decoded if decoded.amount != Some(amount) => Err(wrong("it asks for another amount")),
            decoded if decoded.expires_at <= self.clock.now() => Err(wrong("it has expired")),
            _ => Ok(decoded),
        }
    }
}

/// Checks the payment terms that the server of an address offers (LUD-06). Returns the callback URL.
fn judge_offer(offer: &Value, amount: Amount) -> Result<Url, AddressError> {
    let text = |name| offer.get(name).and_then(Value::as_str);
    if text("tag") != Some("payRequest") {
        return Err(AddressError::Refused("it takes no payments".to_owned()));
    }
    let limits = (millisats(offer.get("minSendable")), millisats(offer.get("maxSendable")));
    let callback = text("callback").and_then(|url| Url::parse(url).ok());
    let ((Some(min), Some(max)), Some(callback)) = (limits, callback) else {
        return Err(AddressError::Unreachable("its server's answer is not complete".to_owned()));
    };
    let asked = Millisats::from_sats(amount);
    if asked < min || asked > max {
        return Err(AddressError::Amount { min: min.ceil_sats().get(), max: max.floor_sats().get() });
    }
    Ok(callback)
}

fn wrong(why: &str) -> AddressError {
    AddressError::WrongInvoice(why.to_owned())
}

impl LightningAddresses for Addresses {
    fn invoice(&self, address: String, amount: Amount) -> Pending<'_, Result<DecodedInvoice, AddressError>> {
        Box::pin(async move { self.ask_for(&address, amount).await })
    }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;
    use std::net::TcpListener;
    use std::thread;
    use std::time::Duration;

    use bolts_testkit::{FakeClock, start};
    use serde_json::json;
    use tokio::runtime::Builder;

    use super::*;

    /// Requests an invoice by an offer with this callback.
    fn take_up(callback: &str, allow_private: bool) -> Result<DecodedInvoice, AddressError> {
        let timeouts = Timeouts::of(Duration::from_secs(60));
        let options = AddressOptions { sats: SatsKind::Real, allow_private, timeouts };
        let addresses = Addresses::new(options, Arc::new(FakeClock::at(start()))).unwrap();
        let offer = json!({
            "tag": "payRequest", "callback": callback, "metadata": "[]", "minSendable": 1, "maxSendable": 1_000_000,
        });
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(addresses.take_up(&offer, Amount::new(100).unwrap()))
    }

    /// Even if the server of the address is public, its callback must be public too.
    #[test]
    fn a_callback_is_judged_as_the_address_was() {
        let here = TcpListener::bind("127.0.0.1:0").unwrap();
        here.set_nonblocking(true).unwrap();
        let port = here.local_addr().unwrap().port();
        for origin in [
            // Plain http is never called, whatever the host.
            "http://bolts.invalid".to_owned(),
            "http://1.1.1.1".to_owned(),
            format!("http://127.0.0.1:{port}"),
            format!("http://localhost:{port}"),
            // Many ways in which a URL can name this machine or a private network.
            format!("https://127.0.0.1:{port}"),
            format!("https://127.1:{port}"),
            format!("https://0x7f000001:{port}"),
            format!("https://2130706433:{port}"),
            format!("https://0:{port}"),
            format!("https://[::1]:{port}"),
            format!("https://[::ffff:127.0.0.1]:{port}"),
            format!("https://[::ffff:7f00:1]:{port}"),
            "https://10.0.0.1".to_owned(),
            "https://169.254.169.254".to_owned(),
            "https://[fd00::1]".to_owned(),
            // Names that resolve to this machine. Only the resolver can detect them.
            format!("https://localhost:{port}"),
            format!("https://LOCALHOST:{port}"),
            // A URL with a user name and password.
            "https://user:password@bolts.invalid".to_owned(),
        ] {
            let answer = take_up(&format!("{origin}/pay?user=7"), false);
            let Err(AddressError::Unreachable(why)) = &answer else { panic!("{origin}: {answer:?}") };
            assert!(why.contains("not on the public internet"), "{origin}: {why}");
            assert_eq!(here.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "{origin} was called");
        }
        // With `allow_private` the calls arrive. This proves that the checks above would notice a call.
        let pause = |_: &_| thread::sleep(Duration::from_millis(10));
        let is_called = move |()| (0..6_000).any(|_| here.accept().inspect_err(pause).is_ok());
        let calls = thread::spawn(move || [(); 2].map(is_called));
        for origin in [format!("http://127.0.0.1:{port}"), format!("https://localhost:{port}")] {
            assert!(take_up(&format!("{origin}/pay"), true).is_err());
        }
        assert_eq!(calls.join().unwrap(), [true; 2]);
    }
}
