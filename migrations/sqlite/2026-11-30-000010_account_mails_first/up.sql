-- Mails with a link and notices to an address are claimed before notifications and digests. So they do not wait while many
-- digests are due at the same hour.
CREATE INDEX deliveries_account ON deliveries (channel, next_at)
    WHERE state = 'queued' AND cause NOT IN ('notification', 'digest');
