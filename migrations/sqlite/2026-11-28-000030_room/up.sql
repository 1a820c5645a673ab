-- Text that fills the row of an open bet. It becomes shorter when the state of the bet becomes longer, so the row keeps its
-- length. A row that becomes longer in a full page splits the page. Bets of earlier releases have no room until they change.
ALTER TABLE bets ADD COLUMN room TEXT;
