DROP TABLE pictures;
DROP TABLE messages;
