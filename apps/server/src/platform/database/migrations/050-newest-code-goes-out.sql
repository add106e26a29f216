-- After an outage of the mail server each person gets the newest of their codes, and no other.
delete from outgoing_codes older using outgoing_codes newer
where older.target = newer.target and (older.expires_at, older.id) < (newer.expires_at, newer.id);
create unique index outgoing_codes_target on outgoing_codes (target);
