-- A text that few entries of the log hold is found without reading all of them.
create index audit_log_searched on audit_log using gin (lower(action || ' ' || target) gin_trgm_ops);
