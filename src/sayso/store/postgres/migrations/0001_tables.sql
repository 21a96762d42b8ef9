-- The tables of the SQLite store, in PostgreSQL's types. Times are microseconds since 1970. The numbers of kind, status,
-- outcome and type are those of sayso.core. Text is compared by its bytes, whatever the database's own order is.
-- In the hot tables the columns stand by their sizes, since PostgreSQL aligns them.

-- One row about the store itself. `secret` signs cursors; `reference_version` moves with every change of reference
-- data; a program that knows the tables of version `compatible_from` may use these.
create table meta(
  one smallint primary key check (one = 1),
  schema_version int not null,
  compatible_from int not null,
  shards int not null check (shards between 1 and 256),
  secret bytea not null check (length(secret) = 32),
  reference_version bigint not null,
  created_at bigint not null
);
comment on table meta is 'sayso';

-- Reference data: small, cached whole by each process, never changed in a unit with run data.
create table orgs(org int primary key, name text collate "C" not null unique);

create table playbooks(
  playbook int primary key,
  org int not null,
  name text collate "C" not null,
  shard smallint not null,
  title text not null,
  description text not null,
  status smallint not null,
  at bigint not null,
  by int not null,
  updated_at bigint not null,
  retired_at bigint,
  unique (org, name)
);

create table callers(
  caller int primary key check (caller > 0),
  org int not null,
  id text collate "C" not null,
  unique (org, id)
);

create table keys(
  id text collate "C" primary key,
  org int not null,
  hash bytea not null,
  permissions text not null,
  playbooks text,
  party text,
  billing_org int,
  at bigint not null,
  by int,
  expires_at bigint,
  last_used_at bigint,
  revoked_at bigint
);

-- Run data: each row belongs to one shard, and a unit stays in one playbook.
create table definitions(
  shard smallint not null,
  playbook int not null,
  type text collate "C" not null,
  name text collate "C" not null,
  version int not null check (version > 0),
  stream uuid not null,
  source text not null,
  description text,
  input_schema text,
  output_schema text,
  at bigint not null,
  by int not null,
  primary key (shard, playbook, type, name, version)
);
create unique index definition_stream on definitions(shard, stream, version);

create table feeds(                                -- half of each page is kept free: a counter's next row stays on it
  position bigint not null default 0,
  first_position bigint not null default 0,
  open int not null default 0,
  playbook int not null,
  shard smallint not null,
  primary key (shard, playbook)
) with (fillfactor = 50);

create table heads(
  at bigint not null,
  last_at bigint not null,
  expires_at bigint,
  ended_at bigint,
  due_at bigint,
  playbook int not null,
  org int not null,
  billing_org int,
  by int not null,
  version int not null,
  seq int not null,
  from_seq int not null,
  definition_version int,
  fails int not null default 0,
  open_children int not null default 0,
  shard smallint not null,
  kind smallint not null,
  status smallint not null,
  outcome smallint,
  stream uuid not null,
  parent uuid,
  run_id uuid,
  definition uuid,
  party text collate "C",
  digest bytea,
  lease text,
  primary key (shard, stream),
  check ((ended_at is null) = (outcome is null)),
  check (kind > 2 or outcome is null or due_at is null),
  check (kind not in (3, 7) or digest is not null)
) with (fillfactor = 85);
create unique index head_named on heads(shard, playbook, run_id) where run_id is not null;
create unique index head_keyed on heads(shard, playbook, kind, digest) where kind in (3, 7);
create index head_open on heads(shard, playbook, stream) include (party, definition) where kind = 1 and outcome is null;
create index head_claim on heads(shard, definition, stream) where kind = 5 and outcome is null;
create index head_due on heads(shard, due_at) where due_at is not null;
create index head_org on heads(shard, org, stream) where kind in (1, 5);
create index head_billed on heads(shard, billing_org, stream) where billing_org is not null;
create index head_parent on heads(shard, parent, stream) where parent is not null;
create index head_failing on heads(shard, kind) where fails > 0;

-- Of indexes that seem as good as each other, as all do where a table was last analysed while it was empty, PostgreSQL
-- takes the youngest. So they are made in such an order that this is the right one.

-- In partitions by the time at which a stream was made, which its id begins with: months are made ahead, and whatever
-- has none is in the default one.
create table events(
  position bigint not null,
  at bigint not null,
  playbook int not null,
  seq int not null check (seq > 0),
  by int not null,
  shard smallint not null,
  type smallint not null,
  v smallint not null,
  stream uuid not null,
  data text not null,
  content text
) partition by range (stream);
create index feed on events(shard, playbook, position);
alter table events add primary key (shard, stream, seq);
create table events_default partition of events default;

create table states(
  shard smallint not null,
  stream uuid not null,
  format int not null,
  state text not null,
  primary key (shard, stream)
);

create table inbox(
  shard smallint not null,
  stream uuid not null,
  n int not null,
  from_stream uuid not null,
  body text not null,
  primary key (shard, stream, n)
);

create table members(
  shard smallint not null,
  conversation uuid not null,
  sent_id text collate "C" not null,
  stream uuid not null,
  asked_at bigint,
  left_at bigint,
  primary key (shard, conversation, sent_id, stream)
);
create index member_of on members(shard, stream);
create index member_open on members(shard, conversation, asked_at) where left_at is null and asked_at is not null;

create table idempotency(
  shard smallint not null,
  org int not null,
  operation int not null,
  key text collate "C" not null,
  fingerprint bytea not null,
  status int not null,
  stream uuid,
  seq int,
  body bytea,
  at bigint not null,
  primary key (shard, org, operation, key)
);
create index idempotency_old on idempotency(shard, at);

create table subscriptions(
  shard smallint not null,
  id uuid not null,
  playbook int,
  org int not null,
  url text,
  secret bytea,
  filter text,
  position bigint not null,
  due_at bigint,
  fails int not null default 0,
  failed_since bigint,
  last_error text,
  ended_at bigint,
  primary key (shard, id)
);
