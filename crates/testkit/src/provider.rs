//! A scripted Lightning provider with the HTTP interface of LNbits or LND. The provider records which payments
//! were made and how often. A test can let any call fail in any way of [`Fault`].

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

/// The HTTP interface of the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// LNbits 1.6, over http.
    Lnbits,
    /// LND, over https.
    Lnd,
}

impl Kind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Lnbits, Self::Lnd];
}

/// The API key of the scripted LNbits that allows payments.
pub const ADMIN_KEY: &str = "5c0ffee5c0ffee5c0ffee5c0ffee5ad1";

/// The API key of the scripted LNbits that allows new invoices, but no payments.
pub const INVOICE_KEY: &str = "1ca11ab1e1ca11ab1e1ca11ab1e1ca11";

/// The macaroon of the scripted LND, in hexadecimal.
pub const MACAROON: &str = "0201036c6e64deadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeef";

/// A provider on its own port. Dropping the value stops the provider.
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
    /// Starts a provider with a balance of 1 bitcoin.
    ///
    /// # Panics
    /// If no port is free.
    pub fn start(kind: Kind) -> Self {
        let shared = Arc::new(Shared { kind, state: Mutex::default(), changed: Condvar::new() });
        let tls = match kind {
            Kind::Lnbits => None,
            Kind::Lnd => Some(Tls::self_signed()),
        };
        let answering = shared.clone();
        let server = Server::start(tls, move |request| answering.answer(request));
        // Each running provider has its own port, so no two providers have the same identity.
        shared.state().books.identity = format!("{:064x}", server.address().port());
        Self { kind, shared, server }
    }

    /// The HTTP interface of the provider.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The base URL of the provider.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// The certificate of an https provider, in PEM.
    pub fn certificate_pem(&self) -> Option<&str> {
        self.server.certificate_pem()
    }

    /// Gives a test access to the provider's records of invoices and payments.
    pub fn books<T>(&self, look: impl FnOnce(&mut Books) -> T) -> T {
        look(&mut self.shared.state().books)
    }

    /// Creates an invoice of another node, for withdrawals. The provider's answer to its payment has the preimage.
    pub fn invoice(&self, wanted: &Wanted) -> Made {
        let made = invoices::make(wanted);
        self.books(|books| books.preimages.insert(made.payment_hash.clone(), made.preimage.clone()));
        made
    }

    /// Records a payment to an invoice that this provider created.
    ///
    /// # Panics
    /// If the provider created no invoice with this hash.
    pub fn receive(&self, payment_hash: &str, millisats: i64) {
        self.books(|books| books.receive(payment_hash, millisats));
    }

    /// Lets the next call of the kind `call` fail with `fault`.
    pub fn fail_once(&self, call: Call, fault: Fault) {
        self.shared.state().script.push(call, fault);
    }

    /// Lets the next calls of the kind `call` about this payment fail, one with each of `faults`, in their order.
    pub fn fail_for(&self, payment_hash: &str, call: Call, faults: &[Fault]) {
        let mut state = self.shared.state();
        faults.iter().for_each(|fault| state.script.push_for(payment_hash, call, *fault));
    }

    /// Lets all calls of the kind `call` fail with `fault`, until [`Provider::heal`].
    pub fn fail(&self, call: Call, fault: Fault) {
        self.shared.state().script.always(call, fault);
    }

    /// Lets every second call of the kind `call` fail with `fault`, beginning with the first.
    pub fn flap(&self, call: Call, fault: Fault) {
        self.shared.state().script.flap(call, fault);
    }

    /// Ends all faults. Calls that hang because of a fault continue.
    pub fn heal(&self) {
        self.shared.state().script.heal();
        self.shared.changed.notify_all();
    }

    /// Stops the next call of the kind `call` at `point` until the test drops the gate.
    pub fn stall(&self, call: Call, point: Point) -> Gate<'_> {
        self.shared.state().script.stall(call, point);
        Gate::new(self, call)
    }

    /// The number of calls of the kind `call` so far.
    pub fn calls(&self, call: Call) -> usize {
        self.shared.state().script.count(call)
    }

    /// The number of calls of the kind `call` about this payment so far.
    pub fn calls_for(&self, payment_hash: &str, call: Call) -> usize {
        self.shared.state().script.count_for(payment_hash, call)
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

    /// Waits while a gate stops the call at this point. Returns `true` if the test has abandoned the call.
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

    /// Waits until the test calls `heal`, but at most a minute, so that no thread waits for ever.
    fn hang(&self) {
        let state = self.state();
        let since = state.script.healings();
        let wait = self
            .changed
            .wait_timeout_while(state, Duration::from_secs(60), |state| state.script.healings() == since);
        drop(wait);
    }
}

/// The text of a field of a JSON body. Empty if there is no such text.
fn text<'a>(body: &'a Value, name: &str) -> &'a str {
    body.get(name).and_then(Value::as_str).unwrap_or_default()
}
