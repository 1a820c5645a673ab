//! Deposits and withdrawals of sats on a site with real sats, whose provider answers as each test says.

mod deposits;
mod destinations;
mod keys;
mod late_deposits;
mod limits;
mod listing;
mod lists;
mod node;
mod operator_settlement;
mod other_payments;
mod pauses;
mod providers;
mod reconciling;
mod refunds;
mod servers;
mod solvency;
mod stops;

use std::sync::Arc;

use bolts_kernel::{Amount, Currency, WithdrawalId};
use bolts_ports::{AdminAction, NoticeBody, Queries, SatsKind, WalletQueries};
use bolts_usecases::accounts::{PasswordOwner, session_hash};
use bolts_usecases::wallet::{Claim, Destination, WalletRules, Wallets, Withdraw, WithdrawError};
use bolts_usecases::{Actor, App, Reply};
use bolts_wallet::{Deposit, Finding, Watch, Withdrawal, WithdrawalStatus};
use futures_executor::block_on;

use crate::stage::{ADDRESS, Stage};
use lists::received;
use node::Node;

/// A site whose first check of the provider was clean.
struct Site {
    stage: Stage,
    node: Node,
    wallets: Wallets,
    ann: Member,
}

/// A signed-in user.
#[derive(Clone, Debug)]
struct Member {
    actor: Actor,
    owner: PasswordOwner,
}

fn sats(units: i64) -> Amount {
    Amount::new(units).expect("not below 0")
}

impl Site {
    fn new() -> Self {
        Self::with_rules(WalletRules::default())
    }

    fn with_rules(rules: WalletRules) -> Self {
        let site = Self::unchecked(rules, SatsKind::Real);
        site.check();
        assert!(site.wallets.has_seen_agreement());
        site
    }

    /// A site that has not checked its provider yet. Ann has 10,000 sats.
    fn unchecked(rules: WalletRules, kind: SatsKind) -> Self {
        let stage = Stage::new();
        let node = Node::new(stage.clock.clone(), kind, 0);
        let wallets = wallets(&stage.app, &node, rules);
        assert_eq!(block_on(wallets.claim_database()), Ok(Claim::Taken));
        let ann = member(&stage, "ann");
        let site = Self { stage, node, wallets, ann };
        site.give(&site.ann, 10_000);
        site
    }

    /// The wallets of another process on the same store, with this provider.
    fn process(&self, node: &Node) -> Wallets {
        wallets(&self.stage.app, node, WalletRules::default())
    }

    /// Another provider.
    fn other_node(&self, name: &'static str, identity: &'static str) -> Node {
        let node = Node::new(self.stage.clock.clone(), SatsKind::Real, 1_000_000);
        (node.books().name, node.books().identity) = (name, Some(identity));
        node
    }

    fn member(&self, name: &str) -> Member {
        member(&self.stage, name)
    }

    /// Creates an invoice for a deposit.
    fn deposit(&self, member: &Member, amount: i64) -> Deposit {
        block_on(self.wallets.create_deposit(member.actor.user, sats(amount))).expect("an invoice")
    }

    /// The stored deposit.
    fn deposited(&self, deposit: &Deposit) -> Deposit {
        self.stage.store.deposit(deposit.id).expect("readable").expect("there")
    }

    /// The user deposits sats. The provider lists the payment.
    fn give(&self, member: &Member, amount: i64) -> Deposit {
        let deposit = self.deposit(member, amount);
        self.node.receive(deposit.payment_hash, amount * 1_000);
        block_on(self.wallets.move_deposit_on(deposit.clone())).expect("credited");
        self.node.list_received(received(&deposit));
        self.deposited(&deposit)
    }

    fn sats(&self, member: &Member) -> i64 {
        let user = self.stage.store.user(member.actor.user).expect("readable").expect("there");
        user.balances[Currency::Sats].get()
    }

    fn request(&self, member: &Member, destination: Destination) -> Result<Withdrawal, WithdrawError> {
        let (owner, password) = (member.owner.clone().into(), "secret".to_owned());
        let withdraw = Withdraw { owner, password, destination };
        match block_on(self.wallets.withdraw(withdraw, None))? {
            Reply::Done(withdrawal) => Ok(withdrawal),
            Reply::Replayed(answer) => panic!("repeated: {answer}"),
        }
    }

    /// Ann requests a withdrawal of this amount in sats.
    fn withdraw(&self, amount: i64) -> Result<Withdrawal, WithdrawError> {
        self.request(&self.ann, Destination::Invoice(self.node.invoice(amount * 1_000)))
    }

    /// A held withdrawal of 1,000 sats with a reserve of 10 sats.
    fn held(&self) -> Withdrawal {
        self.withdraw(1_000).expect("held")
    }

    /// A withdrawal that the provider was told to pay.
    fn sent(&self) -> Withdrawal {
        let held = self.held();
        self.move_on(&held);
        self.withdrawal(held.id)
    }

    fn move_on(&self, withdrawal: &Withdrawal) {
        block_on(self.wallets.move_on(withdrawal.id)).expect("moved on");
    }

    /// The stored withdrawal.
    fn withdrawal(&self, id: WithdrawalId) -> Withdrawal {
        self.stage.store.withdrawal(id).expect("readable").expect("there")
    }

    fn status(&self, withdrawal: &Withdrawal) -> WithdrawalStatus {
        self.withdrawal(withdrawal.id).status()
    }

    /// Checks the provider once.
    fn check(&self) -> Finding {
        self.check_with(&mut Watch::default())
    }

    fn check_with(&self, watch: &mut Watch) -> Finding {
        block_on(self.wallets.check_solvency(watch)).expect("checked").0
    }

    /// The reason of the pause of withdrawals.
    fn pause(&self) -> Option<String> {
        self.stage.app.withdrawals_pause().expect("readable").map(|pause| pause.reason)
    }

    fn pause_by_operator(&self) {
        assert_eq!(block_on(self.stage.app.pause_withdrawals("an incident".to_owned())), Ok(true));
    }

    /// What the user was told about sats, oldest first.
    fn told(&self, member: &Member) -> Vec<NoticeBody> {
        let mut notices = self.stage.store.notifications(member.actor.user).expect("readable");
        notices.reverse();
        notices.into_iter().map(|one| one.body).collect()
    }

    /// The latest action of the operator, and its detail.
    fn latest_action(&self) -> (&'static str, String) {
        let AdminAction { action, detail, .. } =
            self.stage.store.admin_actions().pop().expect("an action of the operator");
        (action, detail.unwrap_or_default())
    }
}

fn wallets(app: &App, node: &Node, rules: WalletRules) -> Wallets {
    Wallets::new(app.clone(), Arc::new(node.clone()), Arc::new(node.clone()), rules)
}

fn member(stage: &Stage, name: &str) -> Member {
    let email = format!("{name}@example.com");
    let signed_in = block_on(stage.app.register(email.clone(), "secret".to_owned(), ADDRESS));
    let signed_in = signed_in.expect("registered");
    let owner = PasswordOwner { user: signed_in.user.id, email, session: session_hash(&signed_in.secret) };
    Member { actor: Actor::from(&signed_in.user), owner }
}
