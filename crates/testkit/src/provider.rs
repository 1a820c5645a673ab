//! A scripted Lightning provider: it speaks the HTTP of LNbits or of LND as the real ones do, knows what was really paid
//! and how often, and misbehaves on any call in any way that a test asks for.

mod books;
mod fault;
mod invoices;
mod lnbits;
mod lnd;
mod server;

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;

pub use books::{Books, Fate, Record, Status};
pub use fault::{Call, Fault, Gate, Point};
pub use invoices::{Made, Network, Wanted, make, now};
pub use server::{Reply, Request, Server, Tls};

use fault::Script;

/// Whose HTTP is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// LNbits 1.6, over http.
    Lnbits,
    /// LND, over https.
    Lnd,
}

impl Kind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Lnbits, Self::Lnd];
}

/// The key that pays, at the scripted LNbits.
pub const ADMIN_KEY: &str = "5c0ffee5c0ffee5c0ffee5c0ffee5ad1";

/// The key that makes invoices, at the scripted LNbits.
pub const INVOICE_KEY: &str = "1ca11ab1e1ca11ab1e1ca11ab1e1ca11";

/// The macaroon of the scripted LND, in hexadecimal.
pub const MACAROON: &str = "0201036c6e64deadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeef";

/// A provider on a port of its own, until it is dropped.
pub struct Provider {
    kind: Kind,
    shared: Arc<Shared>,
    server: Server,
}

struct Shared {
    kind: Kind,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    books: Books,
    script: Script,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Provider {
    /// Starts one with a balance of a bitcoin.
    ///
    /// # Panics
    /// Where no port can be had.
    pub fn start(kind: Kind) -> Self {
        let shared = Arc::new(Shared { kind, state: Mutex::default(), changed: Condvar::new() });
        let tls = match kind {
            Kind::Lnbits => None,
            Kind::Lnd => Some(Tls::self_signed()),
        };
        let answering = shared.clone();
        let server = Server::start(tls, move |request| answering.answer(request));
        // No two are the same wallet or node.
        shared.state().books.identity = format!("{:064x}", server.address().port());
        Self { kind, shared, server }
    }

    /// Whose HTTP it speaks.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Where it is.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// Its certificate, in PEM, where it has one.
    pub fn certificate_pem(&self) -> Option<&str> {
        self.server.certificate_pem()
    }

    /// What it knows, and what really happened.
    pub fn books<T>(&self, look: impl FnOnce(&mut Books) -> T) -> T {
        look(&mut self.shared.state().books)
    }

    /// An invoice of somebody else's, to be withdrawn to. Whoever pays it is given its preimage.
    pub fn invoice(&self, wanted: &Wanted) -> Made {
        let made = invoices::make(wanted);
        self.books(|books| books.preimages.insert(made.payment_hash.clone(), made.preimage.clone()));
        made
    }

    /// Somebody pays an invoice that this provider made.
    ///
    /// # Panics
    /// Where it made none with this hash.
    pub fn receive(&self, payment_hash: &str, millisats: i64) {
        self.books(|books| books.receive(payment_hash, millisats));
    }

    /// The next such call goes wrong.
    pub fn fail_once(&self, call: Call, fault: Fault) {
        self.shared.state().script.push(call, fault);
    }

    /// The next such call about this payment goes wrong, then the one after it, in this order.
    pub fn fail_for(&self, payment_hash: &str, call: Call, faults: &[Fault]) {
        let mut state = self.shared.state();
        faults.iter().for_each(|fault| state.script.push_for(payment_hash, call, *fault));
    }

    /// All such calls go wrong, until [`Provider::heal`].
    pub fn fail(&self, call: Call, fault: Fault) {
        self.shared.state().script.always(call, fault);
    }

    /// Every other such call goes wrong, the first one too.
    pub fn flap(&self, call: Call, fault: Fault) {
        self.shared.state().script.flap(call, fault);
    }

    /// Nothing goes wrong any more, and what hangs is let go.
    pub fn heal(&self) {
        self.shared.state().script.heal();
        self.shared.changed.notify_all();
    }

    /// The next such call stands still at this point until the gate is dropped.
    pub fn stall(&self, call: Call, point: Point) -> Gate<'_> {
        self.shared.state().script.stall(call, point);
        Gate::new(self, call)
    }

    /// How often it was called so.
    pub fn calls(&self, call: Call) -> usize {
        self.shared.state().script.count(call)
    }

    /// How often it was called so about this payment.
    pub fn calls_for(&self, payment_hash: &str, call: Call) -> usize {
        self.shared.state().script.count_for(payment_hash, call)
    }

    /// How often it was called at all.
    pub fn all_calls(&self) -> usize {
        Call::ALL.into_iter().map(|call| self.calls(call)).sum()
    }
}

impl Shared {
    fn answer(&self, request: &Request) -> Reply {
        let parsed = match self.kind {
            Kind::Lnbits => lnbits::recognise(request, &self.state().books),
            Kind::Lnd => lnd::recognise(request),
        };
        let call = match parsed {
            Ok(call) => call,
            Err(reply) => return reply,
        };
        let payment_hash = match self.kind {
            Kind::Lnbits => lnbits::subject(request),
            Kind::Lnd => lnd::subject(request),
        };
        let fault = self.state().script.begin(call, payment_hash);
        if self.wait_at(call, Point::BeforeActing) {
            return Reply::close();
        }
        if let Some(reply) = fault.and_then(|fault| fault.instead_of_acting(self)) {
            return reply;
        }
        let reply = {
            let mut state = self.state();
            let books = &mut state.books;
            match self.kind {
                Kind::Lnbits => lnbits::act(call, request, books, fault),
                Kind::Lnd => lnd::act(call, request, books, fault),
            }
        };
        if self.wait_at(call, Point::BeforeAnswering) {
            return Reply::close();
        }
        match fault {
            Some(fault) => fault.applied_to(reply, self),
            None => reply,
        }
    }

    /// Hangs while a gate for this point stands; `true` where the call is to go no further.
    fn wait_at(&self, call: Call, point: Point) -> bool {
        let mut state = self.state();
        if !state.script.is_stalled(call, point) {
            return false;
        }
        state.script.reach(call);
        self.changed.notify_all();
        while state.script.is_stalled(call, point) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.script.take_abandoned(call)
    }

    /// Hangs until somebody heals, at most a minute, so that no thread stays for ever.
    fn hang(&self) {
        let state = self.state();
        let since = state.script.healings();
        let wait = self
            .changed
            .wait_timeout_while(state, Duration::from_secs(60), |state| state.script.healings() == since);
        drop(wait);
    }
}

/// A member of a JSON body, as text.
fn text<'a>(body: &'a Value, name: &str) -> &'a str {
    body.get(name).and_then(Value::as_str).unwrap_or_default()
}
