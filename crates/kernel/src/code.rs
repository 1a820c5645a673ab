//! The codes of problems in the API.

/// Declares the codes and their names.
macro_rules! codes {
    ($($code:ident = $name:literal),* $(,)?) => {
        /// The code of a refusal or failure in the API (`docs/http-api.md#errors`). A code never changes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "the errors that have a code say what it means")]
        pub enum Code { $($code),* }

        crate::named!(Code { $($code = $name),* });
    };
}

codes! {
    AchievementLocked = "achievement_locked",
    ArbiterGone = "arbiter_gone",
    ArbiterOutOfTime = "arbiter_out_of_time",
    ArbiterRules = "arbiter_rules",
    BetAlreadyResolved = "bet_already_resolved",
    BetCancelled = "bet_cancelled",
    BetDisputed = "bet_disputed",
    BetExpired = "bet_expired",
    BetNotAccepted = "bet_not_accepted",
    BetNotAwaitingResolution = "bet_not_awaiting_resolution",
    BetNotDisputed = "bet_not_disputed",
    BetNotExpired = "bet_not_expired",
    BetNotFound = "bet_not_found",
    BetNotPending = "bet_not_pending",
    BodyTooLarge = "body_too_large",
    ConflictOfInterest = "conflict_of_interest",
    CrossOrigin = "cross_origin",
    DepositNotFound = "deposit_not_found",
    EmailNotConfirmed = "email_not_verified",
    EmailTaken = "email_taken",
    IdeasUnavailable = "ideas_unavailable",
    IdempotencyKeyReused = "idempotency_key_reused",
    InsufficientBalance = "insufficient_balance",
    Internal = "internal",
    InvalidCredentials = "invalid_credentials",
    InvalidFields = "invalid_fields",
    InvoiceUsed = "invoice_used",
    IsArbiter = "is_arbiter",
    LightningUnavailable = "lightning_unavailable",
    MailOff = "mail_off",
    MalformedForm = "malformed_form",
    MalformedJson = "malformed_json",
    MessageIsEvidence = "message_is_evidence",
    MessageNotFound = "message_not_found",
    MessageTooOld = "message_too_old",
    MethodNotAllowed = "method_not_allowed",
    NoProposal = "no_proposal",
    NotAForm = "not_a_form",
    NotAParty = "not_a_party",
    NotAllowed = "not_allowed",
    NotArbiter = "not_arbiter",
    NotFound = "not_found",
    NotJson = "not_json",
    NotSignedIn = "not_signed_in",
    NotificationNotFound = "notification_not_found",
    OptionTaken = "option_taken",
    OwnBet = "own_bet",
    PasswordChangeRequired = "password_change_required",
    PictureLimitReached = "picture_limit_reached",
    PictureNotFound = "picture_not_found",
    ProposalChanged = "proposal_changed",
    ProposalPending = "proposal_pending",
    SatsInCooldown = "sats_in_cooldown",
    TooManyActions = "too_many_actions",
    TooManyBets = "too_many_bets",
    TooManyInvoices = "too_many_invoices",
    TooManyMessages = "too_many_messages",
    TooManyPictures = "too_many_pictures",
    TooManyRequests = "too_many_requests",
    TooManyWithdrawals = "too_many_withdrawals",
    Unavailable = "unavailable",
    UserNotFound = "user_not_found",
    UsernameTaken = "username_taken",
    WithdrawalLimitReached = "withdrawal_limit_reached",
    WithdrawalNotFound = "withdrawal_not_found",
    WithdrawalsPaused = "withdrawals_paused",
    WithdrawalsResting = "withdrawals_resting",
}
