-- Who can open the public page of an event. Earlier events have none, as before; new ones show it to holders of their invitation link.
alter table events add column public_page text not null default 'off' check (public_page in ('off', 'link', 'open'));
alter table events alter column public_page set default 'link';
