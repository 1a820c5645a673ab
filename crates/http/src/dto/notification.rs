use bolts_ports::NotificationView;
use bolts_usecases::notifications::words;
use serde::Serialize;
use utoipa::ToSchema;

/// A notification with its text.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Notification)]
pub(crate) struct NotificationJson {
    id: String,
    title: String,
    message: String,
    is_read: bool,
    #[schema(format = DateTime)]
    created_at: String,
    /// The bet that a click opens.
    #[schema(required)]
    bet_id: Option<String>,
    /// The deadline that the message names.
    #[schema(required, format = DateTime)]
    deadline: Option<String>,
}

impl From<&NotificationView> for NotificationJson {
    fn from(notification: &NotificationView) -> Self {
        let words = words(&notification.body);
        Self {
            id: notification.id.to_string(),
            title: words.title.to_owned(),
            message: words.message,
            is_read: notification.is_read,
            created_at: notification.created_at.to_string(),
            bet_id: notification.bet.map(|id| id.to_string()),
            deadline: words.deadline.map(|at| at.to_string()),
        }
    }
}
