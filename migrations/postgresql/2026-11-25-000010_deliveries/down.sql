DROP TRIGGER notifications_leave_the_site ON notifications;
DROP FUNCTION send_notification();
DROP TABLE mail_tokens;
DROP TABLE notification_preferences;
DROP TABLE deliveries;
DROP TABLE destinations;
