-- What people say of a talk is read by when they said it and by how they rated it. The second one counts and averages, too.
create index talk_feedback_by_time on talk_feedback (talk_id, created_at, user_id);
create index talk_feedback_by_rating on talk_feedback (talk_id, rating, user_id);
