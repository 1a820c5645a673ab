use bolts_kernel::Code;

/// The reason why an action on messages or pictures is refused. A refused action changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Refusal {
    /// The bet is private, and the user is neither a party nor the arbiter.
    #[error("Only the two sides and the arbiter of a private bet can write messages.")]
    MayNotWrite,
    /// The user is neither a party nor an arbiter who has accepted.
    #[error("Only the two sides of a bet, and an arbiter who has accepted, can add pictures.")]
    MayNotAttach,
    /// The user has used all of the user's places for pictures on the bet, which are this many.
    #[error("You have already added {0} pictures to this bet, and there is no room for more.")]
    ShareUsed(u32),
    /// The picture belongs to a message. It goes only with the message, whose deletion has rules of its own.
    #[error("This picture is part of a message, so it can’t be deleted alone.")]
    PictureInMessage,
    /// The user is neither the author of the message nor an admin.
    #[error("Only its author or an admin can delete a message.")]
    NotAllowed,
    /// The admin is a party of the bet. Admins must not decide about their own bets.
    #[error("You have a stake in this bet, so another admin has to do this.")]
    ConflictOfInterest,
    /// The time for which the author may delete the message is over.
    #[error("A message can be deleted for 15 minutes. This message is older.")]
    TooOld,
    /// The message is evidence, or its author is a party and the bet is disputed.
    #[error("This bet is in dispute, so its two sides can’t delete messages.")]
    Evidence,
}

impl Refusal {
    /// The code of this refusal in the API.
    pub const fn code(self) -> Code {
        match self {
            Self::MayNotWrite | Self::MayNotAttach => Code::NotAParty,
            Self::ShareUsed(_) => Code::PictureLimitReached,
            Self::PictureInMessage => Code::PictureInMessage,
            Self::NotAllowed => Code::NotAllowed,
            Self::ConflictOfInterest => Code::ConflictOfInterest,
            Self::TooOld => Code::MessageTooOld,
            Self::Evidence => Code::MessageIsEvidence,
        }
    }
}
