//! The ports: traits for everything that the use cases need from outside the domain. Each trait is a contract. Each
//! 'must' in its documentation has a test in `testkit::contract`, which runs on the memory store and on every
//! database.

mod account_event;
mod audit;
mod deliveries;
mod departures;
mod environment;
mod error;
mod exports;
mod factors;
mod fair_queue;
mod hints;
mod ideas;
mod jobs;
mod keys;
mod lightning;
mod messages;
mod network;
mod passkeys;
mod queries;
mod replicas;
mod sitemap;
mod traces;
mod tx;
mod views;
mod wallet;

pub use account_event::AccountEvent;
pub use audit::{Audit, Check, Total};
pub use deliveries::{
    Backlog, Browser, Cause, Contacts, Deliveries, Delivery, DeliveryQueries, Destination, Event, Fate,
    Letter, LetterItem, Mail, Mailer, NewDelivery, Purpose, PushMessage, Pusher, Recipient, Secret, Token,
    Tokens, Undelivered, Webhooks,
};
pub use departures::{DepartureQueries, Departures, LateDeposit, Ties, name_of_deleted};
pub use environment::{Busy, Clock, Ids, Passwords, Pending, Randomness};
pub use error::{JobError, Result, StoreError};
pub use exports::ExportQueries;
pub use factors::{
    Challenge, Factor, FactorQueries, Factors, FactorsView, Origin, OwnSession, SecurityNotice, StoredTotp,
};
pub use fair_queue::{FairQueue, NoItem, Pushed, Taker};
pub use hints::{About, Fanout, Hint};
pub use ideas::{Idea, IdeaDraft, IdeaRequest, Ideas, IdeasFailed, Remark, Wording, WordingField};
pub use jobs::{Job, Need, Store, Verdict, submit, submit_for, submit_needing};
pub use keys::{KeyQueries, KeyView, Keys, StoredKey};
pub use lightning::{
    AddressError, DEPOSIT_MEMO, DecodedInvoice, InvalidInvoice, InvoiceState, Lightning, LightningAddresses,
    MadeInvoice, NewInvoice, NodeCheck, Owner, Payment, Received, Reference, SatsKind, Sent, Unclear,
};
pub use messages::{
    AttachedPicture, BadPicture, CleanPicture, CleaningFailed, MessageOrder, MessageQueries, MessageView,
    Messages, PictureCleaner,
};
pub use network::{Lane, Network};
pub use passkeys::{
    BadAnswer, Begun, Ceremony, CeremonyPurpose, Claim, Credential, PasskeyView, Passkeys, Registered,
    RelyingParty, StoredPasskey,
};
pub use queries::{
    BetKey, Cursor, LATEST_EVENTS, ListFilter, ListStatus, OnDisk, Page, PageRequest, Queries, Sort,
};
pub use replicas::Replicas;
pub use sitemap::{SITEMAP_PART, SitemapEntry, SitemapQueries};
pub use traces::TRACED;
pub use tx::{
    Achievements, AdminAction, AdminActions, Bets, Idempotency, IdempotencyKey, Ledger, NewNotification,
    NewSession, NewUser, Notifications, Outbox, Profile, RateLimitState, Replay, Sessions, Settings,
    Throttles, Tx, Users,
};
pub use views::{
    AchievementsView, AdminActionView, BetView, Credentials, CurrencyStats, MarketStats, NamedUser,
    NoticeBody, NoticeParams, NotificationView, Person, SessionView, Standing, Stats, Unlocked, UserView,
    figures_of,
};
pub use wallet::{Deposits, MovedFor, Movement, OpenInvoices, WalletQueries, WithdrawalView, Withdrawals};
