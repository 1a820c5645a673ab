//! The names of the actions on a bet.

use bolts_kernel::named;

/// An action of a user on an existing bet. `bolts_resolution::actions` lists the actions that are open to a
/// user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Accept the bet and take the free side.
    Accept,
    /// Delete the pending bet.
    Delete,
    /// Open the resolution. The button is 'End Bet Early' for the creator, and 'Resolve Expired Bet' for the
    /// acceptor.
    EndEarly,
    /// Propose an outcome. Under Manual Verification, declare the outcome.
    Propose,
    /// Accept the proposal of the other party.
    AcceptProposal,
    /// Reject the proposal of the other party.
    RejectProposal,
    /// Raise a dispute.
    Dispute,
    /// Rule on the dispute, as its arbiter or as an admin.
    Rule,
    /// Give every stake back.
    Refund,
    /// Delete the bet as an admin.
    AdminDelete,
    /// Accept the invitation to be the arbiter.
    AcceptArbitration,
    /// Decline the invitation to be the arbiter.
    DeclineArbitration,
    /// Give the task of the arbiter up.
    ResignArbitration,
}

named!(Action {
    Accept = "accept",
    Delete = "delete",
    EndEarly = "end_early",
    Propose = "propose",
    AcceptProposal = "accept_proposal",
    RejectProposal = "reject_proposal",
    Dispute = "dispute",
    Rule = "rule",
    Refund = "refund",
    AdminDelete = "admin_delete",
    AcceptArbitration = "accept_arbitration",
    DeclineArbitration = "decline_arbitration",
    ResignArbitration = "resign_arbitration",
});
