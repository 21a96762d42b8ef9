-- Times are microseconds since 1970. The numbers of kind, status, outcome and type are those of sayso.core.

-- One row about the store itself. `secret` signs cursors; `reference_version` moves with every change of reference data.
create table meta(
  one integer primary key check (one = 1),
  schema_version int not null,
  shards int not null check (shards between 1 and 256),
  secret blob not null check (length(secret) = 32),
  reference_version int not null,
  created_at int not null
) strict;

-- Reference data: small, cached whole by each process, never changed in a unit with run data.
create table orgs(org integer primary key, name text not null unique) strict;

create table playbooks(
  playbook integer primary key,
  org int not null,
  name text not null,                              -- its public id
  shard int not null,                              -- where all its run data is, for good
  title text not null,
  description text not null,
  status int not null,
  at int not null,
  by int not null,
  updated_at int not null,
  retired_at int,
  unique (org, name)
) strict;

-- What every `by` points at. Caller 0 is no row: it is the playbook itself.
create table callers(
  caller integer primary key check (caller > 0),
  org int not null,
  id text not null,
  unique (org, id)
) strict;

create table keys(
  id text primary key,
  org int not null,
  hash blob not null,
  permissions text not null,
  playbooks text,
  party text,
  billing_org int,
  at int not null,
  by int,
  expires_at int,
  last_used_at int,
  revoked_at int
) strict, without rowid;

-- Run data: each row belongs to one shard, and a unit stays in one playbook.
create table definitions(                          -- a version a row, never changed; whether it is retired: its head
  shard int not null,
  playbook int not null,
  type text not null,
  name text not null,
  version int not null check (version > 0),
  stream blob not null,
  source text not null,
  description text,
  input_schema text,
  output_schema text,
  at int not null,
  by int not null,
  primary key (shard, playbook, type, name, version)
) strict, without rowid;
create unique index definition_stream on definitions(shard, stream, version);

create table feeds(                                -- the one counter of a playbook, updated as late as a batch can
  shard int not null,
  playbook int not null,
  position int not null default 0,
  first_position int not null default 0,
  open int not null default 0,                     -- requests that wait
  primary key (shard, playbook)
) strict, without rowid;

create table heads(                                -- narrow and hot; its one piece of content is `party`
  shard int not null,
  stream blob not null,
  playbook int not null,
  org int not null,
  billing_org int,
  parent blob,
  run_id blob,                                     -- only where the caller chose one
  kind int not null,                               -- 1 request 2 call 3 conversation 4 workflow 5 agent 6 execution 7 definition 8 publish
  version int not null,                            -- the fence: one more with each change
  seq int not null,                                -- of the last event
  from_seq int not null,                           -- where a load begins
  status int not null,                             -- 1 started 2 waiting 3 cancelling 4 queued 5 running
  outcome int,                                     -- 1 succeeded 2 rejected 3 failed 4 retired
  definition blob,
  definition_version int,
  party text,
  digest blob,                                     -- of a definition or a conversation its key, of a run its input's
  at int not null,
  by int not null,
  last_at int not null,
  expires_at int,
  ended_at int,
  due_at int,
  fails int not null default 0,
  lease text,
  open_children int not null default 0,
  primary key (shard, stream),
  check ((ended_at is null) = (outcome is null)),
  check (kind > 2 or outcome is null or due_at is null),
  check (kind not in (3, 7) or digest is not null)
) strict, without rowid;
create unique index head_named on heads(shard, playbook, run_id) where run_id is not null;
create unique index head_keyed on heads(shard, playbook, kind, digest) where kind in (3, 7);
-- The last two are constants, there so that a list filtered by party reads nothing but this index.
create index head_open on heads(shard, playbook, stream, party, definition, kind, outcome)
  where kind = 1 and outcome is null;
create index head_claim on heads(shard, definition, stream) where kind = 5 and outcome is null;
create index head_due on heads(shard, due_at) where due_at is not null;
create index head_org on heads(shard, org, stream) where kind in (1, 5);
create index head_billed on heads(shard, billing_org, stream) where billing_org is not null;
create index head_parent on heads(shard, parent, stream) where parent is not null;

create table events(                               -- append-only
  shard int not null,
  stream blob not null,
  seq int not null check (seq > 0),
  playbook int not null,
  position int not null,
  type int not null,
  v int not null,
  at int not null,
  by int not null,
  data text not null,                              -- what folds; no words of people
  content text,                                    -- what an erasure clears; the last column
  primary key (shard, stream, seq)
) strict, without rowid;
create unique index feed on events(shard, playbook, position);

create table states(                               -- of kept machines
  shard int not null,
  stream blob not null,
  format int not null,
  state text not null,
  primary key (shard, stream)
) strict;

create table inbox(                                -- what waits for a kept machine's next step
  shard int not null,
  stream blob not null,
  n int not null,
  from_stream blob not null,
  body text not null,
  primary key (shard, stream, n)
) strict, without rowid;

create table members(                              -- what was sent into a conversation: requests, and tellings (no asked_at)
  shard int not null,
  conversation blob not null,
  sent_id text not null,
  stream blob not null,
  asked_at int,
  left_at int,
  primary key (shard, conversation, sent_id, stream)
) strict, without rowid;
create index member_open on members(shard, conversation, asked_at) where left_at is null and asked_at is not null;
create index member_of on members(shard, stream);

create table idempotency(
  shard int not null,
  org int not null,
  operation int not null,
  key text not null,
  fingerprint blob not null,
  status int not null,
  stream blob,
  seq int,
  body blob,
  at int not null,
  primary key (shard, org, operation, key)
) strict, without rowid;
create index idempotency_old on idempotency(shard, at);

create table subscriptions(                        -- a webhook is a cursor on the feed
  shard int not null,
  id blob not null,
  playbook int,
  org int not null,
  url text,
  secret blob,
  filter text,
  position int not null,
  due_at int,
  fails int not null default 0,
  failed_since int,
  last_error text,
  ended_at int,
  primary key (shard, id)
) strict, without rowid;

-- SQLite plans by statistics, and a new file has none: it would read every list by the primary key. These are the
-- proportions of a store with a million heads, a thousand playbooks and ten thousand open requests.
analyze;
delete from sqlite_stat1;
insert into sqlite_stat1(tbl, idx, stat) values
  ('heads', 'heads', '1000000 1000000 1'),
  ('heads', 'head_named', '200000 200000 200 1'),
  ('heads', 'head_keyed', '20000 20000 20 10 1'),
  ('heads', 'head_open', '10000 10000 10 1 1 1 1 1'),
  ('heads', 'head_claim', '1000 1000 10 1'),
  ('heads', 'head_due', '10000 10000 1'),
  ('heads', 'head_org', '900000 900000 9000 1'),
  ('heads', 'head_billed', '100000 100000 1000 1'),
  ('heads', 'head_parent', '100000 100000 5 1'),
  ('members', 'members', '1000000 1000000 100 1 1'),
  ('members', 'member_open', '10000 10000 10 2'),
  ('members', 'member_of', '1000000 1000000 1');
analyze sqlite_schema;
