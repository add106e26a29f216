-- Outputs that people can tell apart: names, sACN multicast and priority, a frame rate of their own, USB adapters.
alter table outputs
  add column label text not null default '',
  add column multicast boolean not null default false,
  add column local_address text not null default '',
  add column priority integer not null default 100,
  -- 0 = as many as the protocol carries.
  add column rate_hz integer not null default 0,
  add column device text not null default '',
  add column device_serial text not null default '',
  add column updated_at timestamptz not null default now(),
  drop constraint outputs_protocol_check,
  add constraint outputs_protocol_check check (protocol in ('artnet', 'sacn', 'enttec_pro', 'open_dmx'));
