-- A sign-in code is worked out from a nonce and the server's secret: the same code can be sent again, and the table tells
-- none. Two codes of one target may be good at once, the second made before the first runs out. Codes on their way while
-- this runs have to be asked for again.
drop table login_codes;
create table login_codes (
  target text not null,
  nonce bytea not null,
  -- The network that asked first: its tries count for itself alone.
  asked_from text not null,
  -- Sent with all its digits, because others guess.
  is_long boolean not null default false,
  expires_at timestamptz not null,
  primary key (target, nonce)
);
