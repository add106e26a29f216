-- How sign-in codes reach guests: by mail or SMS, by the invitation link itself, or read out by staff. Decision 114.
alter table sign_up add column code_by text not null default 'mail' check (code_by in ('mail', 'link', 'staff'));
-- Address that a person typed who joined by link. No code goes there, and it signs no one in.
alter table users add column unconfirmed_address text not null default '';
-- Name of the person to whom staff read this code; null if staff do not see it.
alter table login_codes add column staff_name text;
