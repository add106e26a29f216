-- Lists of people by phone and by status, as USER_LIST says them.
create index users_by_phone on users (coalesce(nullif(phone_digits, ''), 'none'), id);
create index users_by_status
  on users ((case when deleted_at is not null then 2 when verified_at is null then 1 else 0 end), id);
