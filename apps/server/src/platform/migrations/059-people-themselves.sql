-- What a person has sent to others within a day, which is limited, is found without the rest of what they ever moved.
create index gold_transactions_sent on gold_transactions (created_by, created_at) where kind = 'transfer';
