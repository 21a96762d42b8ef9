-- Named statements: see sql.py for their form. Words in a header: `unit` is run by load and write, `reference` changes
-- reference data, `big` may read many rows and so is run off the serving loop. Every query of run data binds :shard.
-- JSON columns (data, content, the schemas, state, body) come as they are stored: as compact JSON text.
-- A page that has a place to begin from takes null for "from the end that is shown first".


-- == Loading a batch

-- name: load_heads (unit): heads by id, run id or key, with their parents and the conversations they are open in
with named(stream) as materialized (
  select stream from heads where shard = :shard and stream in :streams...
  union all
  select h.stream from :run_ids...2 w
  cross join heads h on h.shard = :shard and h.playbook = w.column1 and h.run_id = w.column2
  where h.run_id is not null
  union all
  select h.stream from :keys...3 w
  cross join heads h on h.shard = :shard and h.playbook = w.column1 and h.kind = w.column2 and h.digest = w.column3
  where h.kind in (3, 7)
)
select {head} from heads h
where h.shard = :shard and h.stream in (
  select stream from named
  union all
  select parent from heads where shard = :shard and stream in (select stream from named) and parent is not null
  union all
  select conversation from members where shard = :shard and stream in (select stream from named) and left_at is null
)
order by h.stream;

-- name: load_events (unit): what folds of these streams, since the place where each one's load begins
select e.stream, e.seq, e.at, e.by, e.type, e.v, e.data
from heads h
cross join events e on e.shard = h.shard and e.stream = h.stream and e.seq >= h.from_seq
where h.shard = :shard and h.stream in :streams...
order by h.stream, e.seq;

-- name: load_states (unit): the states of kept machines
select stream, format, state from states where shard = :shard and stream in :streams...;

-- name: load_inbox (unit): what waits for kept machines' next steps
select stream, n, from_stream, body from inbox where shard = :shard and stream in :streams... order by stream, n;

-- name: load_open (unit): how many requests of these playbooks wait
select playbook, open from feeds where shard = :shard and playbook in :playbooks...;


-- == Writing a batch: each statement is run once, for all rows of its table

-- name: insert_heads (unit): new streams
insert into heads(
  shard, stream, playbook, org, billing_org, parent, run_id, kind, version, seq, from_seq, status, outcome,
  definition, definition_version, party, digest, at, by, last_at, expires_at, ended_at, due_at, fails, lease,
  open_children)
values (
  :shard, :stream, :playbook, :org, :billing_org, :parent, :run_id, :kind, :version, :seq, :from_seq, :status, :outcome,
  :definition, :definition_version, :party, :digest, :at, :by, :last_at, :expires_at, :ended_at, :due_at, :fails, :lease,
  :open_children);

-- name: update_heads (unit): changed streams, each fenced by the version it was loaded at
update heads set
  version = :version, seq = :seq, from_seq = :from_seq, status = :status, outcome = :outcome,
  definition = :definition, definition_version = :definition_version, party = :party, digest = :digest,
  last_at = :last_at, expires_at = :expires_at, ended_at = :ended_at, due_at = :due_at,
  fails = :fails, lease = :lease, open_children = :open_children
where shard = :shard and stream = :stream and version = :base;

-- name: insert_definitions (unit): new versions of definitions
insert into definitions(
  shard, playbook, type, name, version, stream, source, description, input_schema, output_schema, at, by)
values (
  :shard, :playbook, :type, :name, :version, :stream, :source, :description, :input_schema, :output_schema, :at, :by);

-- name: put_states (unit): the states of kept machines as they now stand
insert into states(shard, stream, format, state) values (:shard, :stream, :format, :state)
on conflict (shard, stream) do update set format = excluded.format, state = excluded.state;

-- name: insert_inbox (unit): what kept machines shall hear of
insert into inbox(shard, stream, n, from_stream, body) values (:shard, :stream, :n, :from_stream, :body);

-- name: delete_inbox (unit): what kept machines have heard of
delete from inbox where shard = :shard and stream = :stream and n = :n;

-- name: move_feeds [sqlite] (unit): add to the playbooks' counters, in ascending order, and tell where each now is
insert into feeds(shard, playbook, position, open)
select :shard, json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]')
from json_each(:moved) where true
on conflict (shard, playbook) do update set position = position + excluded.position, open = open + excluded.open
returning playbook, position;

-- name: insert_events (unit): new events at the ends of their streams and of their playbook's feed
insert into events(shard, stream, seq, playbook, position, type, v, at, by, data, content)
values (:shard, :stream, :seq, :playbook, :position, :type, :v, :at, :by, :data, :content);


-- == What is due

-- name: due: streams whose time has come, the longest due first
select stream, playbook, due_at from heads
where shard = :shard and due_at is not null and due_at <= :now
order by due_at, stream limit :limit;


-- == Reference data

-- name: reference_version: a number that moves with reference data
select reference_version from meta;

-- name: orgs: all orgs
select org, name from orgs order by org;

-- name: playbooks: all playbooks
select playbook, org, name, shard, title, description, status, at, by, updated_at, retired_at
from playbooks order by playbook;

-- name: callers: the callers that came after a number; they are only ever added
select caller, org, id from callers where caller > :after order by caller;

-- name: keys: all API keys, revoked ones too
select id, org, hash, permissions, playbooks, party, billing_org, at, by, expires_at, last_used_at, revoked_at
from keys order by id;

-- name: playbook_named: one playbook of an org
select playbook, org, name, shard, title, description, status, at, by, updated_at, retired_at
from playbooks where org = :org and name = :name;

-- name: key_named: whether there is a key with an id
select id from keys where id = :id;

-- name: add_org (reference): an org, if its name is new
insert into orgs(name) values (:name) on conflict (name) do nothing;

-- name: add_playbook (reference): a playbook, if its name is new in its org
insert into playbooks(org, name, shard, title, description, status, at, by, updated_at)
values (:org, :name, :shard, :title, :description, :status, :at, :by, :at)
on conflict (org, name) do nothing;

-- name: update_playbook (reference): a playbook's title and description
update playbooks set title = :title, description = :description, updated_at = :updated_at where playbook = :playbook;

-- name: add_caller (reference quiet): somebody whom `by` shall point at, if new in its org; found when looked for
insert into callers(org, id) values (:org, :id) on conflict (org, id) do nothing;

-- name: add_key (reference): an API key; its id must be new
insert into keys(id, org, hash, permissions, playbooks, party, billing_org, at, by, expires_at)
values (:id, :org, :hash, :permissions, :playbooks, :party, :billing_org, :at, :by, :expires_at);

-- name: revoke_key (reference): end a key, for good; the first time stands
update keys set revoked_at = coalesce(revoked_at, :revoked_at) where id = :id;

-- name: prove_writable (reference quiet): change nothing, durably
update meta set created_at = created_at;

-- name: move_reference (reference): tell all processes that reference data changed
update meta set reference_version = reference_version + 1;


-- == Heads

-- name: head: a stream's head
select {head} from heads h where h.shard = :shard and h.stream = :stream and h.playbook = :playbook;

-- name: head_of_run: the head of the run with this id, be it the caller's own or the one that was minted
select {head} from heads h
where h.shard = :shard and h.playbook = :playbook and h.run_id = :run_id and h.run_id is not null
union all
select {head} from heads h
where h.shard = :shard and h.stream = :run_id and h.playbook = :playbook and h.run_id is null
limit 1;

-- name: head_keyed: the head of the definition or conversation with a key
select {head} from heads h
where h.shard = :shard and h.playbook = :playbook and h.kind = :kind and h.digest = :key and h.kind in (3, 7);


-- == Definitions

-- name: definition_version: a definition's newest version, or the newest up to one, how its head stands, and who made the first
select d.stream, d.type, d.name, d.version, d.source, d.description, d.input_schema, d.output_schema, d.at, d.by,
  h.outcome, h.ended_at, h.definition_version, f.at as created_at, f.by as created_by
from definitions d
cross join heads h on h.shard = d.shard and h.stream = d.stream
cross join definitions f on f.shard = d.shard and f.playbook = d.playbook and f.type = d.type and f.name = d.name
where d.shard = :shard and d.playbook = :playbook and d.type = :type and d.name = :name and f.version = 1
  and d.version <= coalesce(:version, 9223372036854775807)
order by d.version desc limit 1;

-- name: definition_of: what a definition's version says, by its stream
select source, output_schema from definitions where shard = :shard and stream = :definition and version = :version;

-- name: definitions (big): the newest versions of a playbook's definitions of a type, by name, without their sources
select d.stream, d.type, d.name, d.version, d.description, d.input_schema, d.output_schema, d.at, d.by,
  h.outcome, h.ended_at, h.definition_version, f.at as created_at, f.by as created_by
from definitions f
cross join heads h on h.shard = f.shard and h.stream = f.stream
cross join definitions d on d.shard = f.shard and d.stream = f.stream and d.version = h.definition_version
where f.shard = :shard and f.playbook = :playbook and f.type = :type and f.name > coalesce(:after_name, '')
  and f.version = 1 and (:include_retired or h.outcome is null)
order by f.name limit :limit;


-- == Events

-- name: events_since: a stream's events from a number on
select seq, at, by, position, type, v, data, content from events
where shard = :shard and stream = :stream and seq >= :from_seq
order by seq;

-- name: events_page_asc (big): a page of a stream's events, the oldest first
select seq, at, by, position, type, v, data, content from events
where shard = :shard and stream = :stream and seq > coalesce(:after, 0)
order by seq limit :limit;

-- name: events_page_desc (big): a page of a stream's events, the newest first
select seq, at, by, position, type, v, data, content from events
where shard = :shard and stream = :stream and seq < coalesce(:before, 1048576)
order by seq desc limit :limit;

-- name: event: one event, with what its stream is of
select e.seq, e.at, e.by, e.position, e.type, e.v, e.data, e.content, e.playbook, h.kind, h.run_id
from events e cross join heads h on h.shard = e.shard and h.stream = e.stream
where e.shard = :shard and e.stream = :stream and e.seq = :seq;


-- == Lists

-- name: open_count: how many requests of a playbook wait
select open from feeds where shard = :shard and playbook = :playbook;

-- name: open_requests (big): what waits in a playbook, the newest first, with each request as it was put
select {head}, e.type as asked_type, e.v as asked_v, e.at as asked_at, e.data, e.content,
  d.type, d.name, d.output_schema, d.version as function_version
from heads o
cross join heads h on h.shard = o.shard and h.stream = o.stream
cross join events e on e.shard = h.shard and e.stream = h.stream and e.seq = h.from_seq + 1
left join definitions d on d.shard = h.shard and d.stream = h.definition and d.version = h.definition_version
where o.shard = :shard and o.playbook = :playbook and o.kind = 1 and o.outcome is null
  and o.stream < coalesce(:before, x'ffffffffffffffffffffffffffffffff')
  and (:party is null or o.party = :party) and (:function is null or o.definition = :function)
order by o.stream desc limit :limit;

-- name: runs_page (big): runs by their first start, the newest first, from the last 1,000 events before a position
-- `outcome` 0 asks for runs without one. `examined` is the position of the last event that was looked at, the same in
-- each row; below it the next page begins, when `more` is 1 or rows were cut off by the limit. A page without a run is
-- one row whose stream is null.
with reached as materialized (
  select min(position) as examined, count(*) = 1000 as more from (
    select position from events
    where shard = :shard and playbook = :playbook and position < coalesce(:before_position, 9223372036854775807)
    order by position desc limit 1000)
), started as materialized (
  select {head}, l.position as started_position, e.at as event_at, e.type, e.v, e.data,
    d.type as definition_type, d.name as definition_name
  from events l
  cross join heads h on h.shard = l.shard and h.stream = l.stream
  cross join events e on e.shard = h.shard and e.stream = h.stream and e.seq = h.seq
  left join definitions d on d.shard = h.shard and d.stream = h.definition and d.version = h.definition_version
  where l.shard = :shard and l.playbook = :playbook and l.seq = 1
    and l.position < coalesce(:before_position, 9223372036854775807)
    and l.position >= (select examined from reached)
    and h.kind in (1, 2, 4, 5) and (:outcome is null or coalesce(h.outcome, 0) = :outcome)
    and (:type is null or d.type = :type) and (:name is null or d.name = :name)
  order by l.position desc limit :limit
)
select r.examined, r.more, s.* from reached r left join started s on true order by s.started_position desc;
