//! Recovery codes.

use bolts_factors::{RECOVERY_CODES, RecoveryCode};
use bolts_ports::{Lane, NoticeBody, SecurityNotice, submit_for};

use super::proof::lock_session;
use super::{RemovalError, StepUpError, require_fresh_proof};
use crate::App;
use crate::accounts::{PasswordOwner, count_security_change};
use crate::notifications::tell;

impl App {
    /// Replaces the recovery codes of a user with a second factor. The old codes stop working at once. The session needs a
    /// fresh proof of the factor.
    pub async fn replace_recovery_codes(
        &self,
        owner: PasswordOwner,
    ) -> Result<Vec<RecoveryCode>, RemovalError> {
        let (now, ids, user) = (self.now(), self.environment.ids.clone(), owner.user);
        let codes = self.recovery_codes();
        let hashes: Vec<String> = codes.iter().map(RecoveryCode::hash).collect();
        submit_for(&*self.store, Lane::User(user), move |tx| {
            lock_session(tx, &owner, now)?;
            if !tx.users().view(user)?.is_some_and(|view| view.has_second_factor) {
                return Err(RemovalError::HasNone);
            }
            require_fresh_proof(tx, user, &owner.session, now)??;
            count_security_change(tx, user, now)?.map_err(StepUpError::from)?;
            tx.factors().put_recovery_codes(user, &hashes)?;
            let body = NoticeBody::Security(SecurityNotice::RecoveryCodesReplaced);
            Ok(tell(tx, user, body, &ids, now)?)
        })
        .await?;
        Ok(codes)
    }

    pub(super) fn recovery_codes(&self) -> Vec<RecoveryCode> {
        let code = |_| {
            let mut bytes = [0; RecoveryCode::BYTES];
            self.environment.random.fill(&mut bytes);
            RecoveryCode::from_random(bytes)
        };
        (0..RECOVERY_CODES).map(code).collect()
    }
}
