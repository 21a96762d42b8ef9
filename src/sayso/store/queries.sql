-- Named statements: see sql.py for their form. Words in a header: `unit` is run by load and write, `rebuild` within the
-- transactions of a rebuild, `aside` in one of its own, `reference` changes reference data, `big` may read many rows and
-- so is run off the serving loop, what is read by `turn` in a transaction decides what that does to reference data.
-- Every query of run data binds :shard.
-- JSON columns (data, content, the schemas, state, body) come as they are stored: as compact JSON text.
-- A page that has a place to begin from takes null for "from the end that is shown first".


-- == Loading a batch

-- name: load_heads [sqlite] (unit): heads by id, run id or key; one may be found in several ways
select {head} from heads h where h.shard = :shard and h.stream in :streams...
union all
select {head} from :run_ids...2 w
cross join heads h on h.shard = :shard and h.playbook = w.column1 and h.run_id = w.column2
where h.run_id is not null
union all
select {head} from :keys...3 w
cross join heads h on h.shard = :shard and h.playbook = w.column1 and h.kind = w.column2 and h.digest = w.column3
where h.kind in (3, 7);

-- name: load_conversations [sqlite] (unit): the conversations in which these streams wait
select conversation from members where shard = :shard and stream in :streams... and left_at is null;

-- name: load_heads [postgres] (unit many): heads by id, run id or key, with their parents and conversations, locked in order
with named(stream) as materialized (
  select unnest(:streams)
  union
  select h.stream from :run_ids...2 w
  cross join heads h on h.shard = :shard and h.playbook = w.column1 and h.run_id = w.column2 and h.run_id is not null
  union
  select h.stream from :keys...3 w
  cross join heads h on h.shard = :shard and h.playbook = w.column1 and h.kind = w.column2 and h.digest = w.column3
    and h.kind in (3, 7)
), wanted(stream) as materialized (
  select stream from named
  union
  select h.parent from named n cross join heads h on h.shard = :shard and h.stream = n.stream
  union
  select m.conversation from named n cross join members m on m.shard = :shard and m.stream = n.stream and m.left_at is null
)
select h.* from (select stream from wanted order by stream) w cross join lateral (
  select {head} from heads h where h.shard = :shard and h.stream = w.stream for update) h;

-- name: load_events [sqlite] (unit): what folds of these streams, since the place where each one's load begins
select e.stream, e.seq, e.at, e.by, e.type, e.v, e.data
from heads h
cross join events e on e.shard = h.shard and e.stream = h.stream and e.seq >= h.from_seq
where h.shard = :shard and h.stream in :streams...
order by h.stream, e.seq;

-- name: load_states [sqlite] (unit): the states of kept machines
select stream, format, state from states where shard = :shard and stream in :streams...;

-- name: load_inbox [sqlite] (unit): what waits for kept machines' next steps
select stream, n, from_stream, body from inbox where shard = :shard and stream in :streams... order by stream, n;

-- name: load_open [sqlite] (unit): how many requests of these playbooks wait
select playbook, open from feeds where shard = :shard and playbook in :playbooks...;

-- name: load_rest [postgres] (unit many): in one round trip, once the heads are locked, all the rest of a load
-- `part` 1 is the clock, 2 counts of open requests, 3 what folds, 4 states, 5 what waits for kept machines; a row of
-- part 6 is a conversation that one of the streams was sent into after the heads were looked for.
select 1 as part, null::uuid as stream, 0 as n, {clock} as at, 0 as by, 0 as type, 0 as v, null as text,
  null::uuid as from_stream
union all
select 2, null, w.playbook, f.open, 0, 0, 0, null, null
from unnest(:playbooks) as w(playbook) cross join feeds f on f.shard = :shard and f.playbook = w.playbook
union all
select 3, e.stream, e.seq, e.at, e.by, e.type, e.v, e.data, null
from unnest(:folded, :from_seqs) as w(stream, from_seq)
cross join events e on e.shard = :shard and e.stream = w.stream and e.seq >= w.from_seq
union all
select 4, s.stream, s.format, 0, 0, 0, 0, s.state, null
from unnest(:kept) as w(stream) cross join states s on s.shard = :shard and s.stream = w.stream
union all
select 5, i.stream, i.n, 0, 0, 0, 0, i.body, i.from_stream
from unnest(:kept) as w(stream) cross join inbox i on i.shard = :shard and i.stream = w.stream
union all
select 6, m.conversation, 0, 0, 0, 0, 0, null, null
from unnest(:streams) as w(stream) cross join members m on m.shard = :shard and m.stream = w.stream and m.left_at is null
where not m.conversation = any(:streams)
order by part, stream, n;

-- name: now [postgres] (unit): the database's clock
select {clock} as now;


-- == Writing a batch: each statement is run once, for all rows of its table

-- name: insert_heads (unit many): new streams; one whose run id or key is taken is left out
insert into heads(
  shard, stream, playbook, org, billing_org, parent, run_id, kind, version, seq, from_seq, status, outcome,
  definition, definition_version, party, digest, at, by, last_at, expires_at, ended_at, due_at, fails, lease,
  open_children, answerer)
values (
  :shard, :stream, :playbook, :org, :billing_org, :parent, :run_id, :kind, :version, :seq, :from_seq, :status, :outcome,
  :definition, :definition_version, :party, :digest, :at, :by, :last_at, :expires_at, :ended_at, :due_at, :fails, :lease,
  :open_children, :answerer)
on conflict do nothing;

-- name: update_heads [sqlite] (unit): changed streams, each fenced by the version it was loaded at
update heads set
  version = :version, seq = :seq, from_seq = :from_seq, status = :status, outcome = :outcome,
  definition = :definition, definition_version = :definition_version, party = :party, digest = :digest,
  last_at = :last_at, expires_at = :expires_at, ended_at = :ended_at, due_at = :due_at,
  fails = :fails, lease = :lease, open_children = :open_children, answerer = :answerer
where shard = :shard and stream = :stream and version = :base;

-- name: update_heads [postgres] (unit many): changed streams, each fenced by the version it was loaded at
update heads h set
  version = w.version, seq = w.seq, from_seq = w.from_seq, status = w.status, outcome = w.outcome,
  definition = w.definition, definition_version = w.definition_version, party = w.party, digest = w.digest,
  last_at = w.last_at, expires_at = w.expires_at, ended_at = w.ended_at, due_at = w.due_at,
  fails = w.fails, lease = w.lease, open_children = w.open_children, answerer = w.answerer
from unnest(
  :version, :seq, :from_seq, :status, :outcome, :definition, :definition_version, :party, :digest, :last_at,
  :expires_at, :ended_at, :due_at, :fails, :lease, :open_children, :answerer, :stream, :base
) as w(
  version, seq, from_seq, status, outcome, definition, definition_version, party, digest, last_at,
  expires_at, ended_at, due_at, fails, lease, open_children, answerer, stream, base)
cross join lateral (
  select f.ctid as place from heads f where f.shard = :shard and f.stream = w.stream and f.version = w.base offset 0) f
where h.ctid = f.place;

-- name: insert_definitions (unit many): new versions of definitions
insert into definitions(
  shard, playbook, type, name, version, stream, source, description, input_schema, output_schema, at, by)
values (
  :shard, :playbook, :type, :name, :version, :stream, :source, :description, :input_schema, :output_schema, :at, :by);

-- name: put_states (unit many): the states of kept machines as they now stand
insert into states(shard, stream, format, state) values (:shard, :stream, :format, :state)
on conflict (shard, stream) do update set format = excluded.format, state = excluded.state;

-- name: insert_inbox (unit many): what kept machines shall hear of
insert into inbox(shard, stream, n, from_stream, body) values (:shard, :stream, :n, :from_stream, :body);

-- name: delete_inbox [sqlite] (unit): what kept machines have heard of
delete from inbox where shard = :shard and stream = :stream and n = :n;

-- name: delete_inbox [postgres] (unit many): what kept machines have heard of
delete from inbox i using unnest(:stream, :n) as w(stream, n)
cross join lateral (
  select f.ctid as place from inbox f where f.shard = :shard and f.stream = w.stream and f.n = w.n offset 0) f
where i.ctid = f.place;

-- name: put_members (unit many): what was sent into conversations; the same message twice is there once
insert into members(shard, conversation, sent_id, stream, asked_at)
values (:shard, :conversation, :sent_id, :stream, :asked_at)
on conflict (shard, conversation, sent_id, stream) do nothing;

-- name: leave_members [sqlite] (unit): streams that wait in no conversation any more; what they sent stays known
update members set left_at = :left_at where shard = :shard and stream = :stream and left_at is null;

-- name: leave_members [postgres] (unit many): streams that wait in no conversation any more; what they sent stays known
update members m set left_at = w.left_at from unnest(:stream, :left_at) as w(stream, left_at)
cross join lateral (
  select f.ctid as place from members f
  where f.shard = :shard and f.stream = w.stream and f.left_at is null offset 0) f
where m.ctid = f.place;

-- name: erase_events [sqlite] (unit): what people and systems wrote in these streams goes
update events set content = null where shard = :shard and stream = :stream and content is not null;

-- name: erase_events [postgres] (unit many): what people and systems wrote in these streams goes
update events e set content = null
from unnest(:stream) as w(stream)
cross join lateral (
  select f.tableoid as part, f.ctid as place from events f
  where f.shard = :shard and f.stream = w.stream and f.seq >= 1 and f.content is not null offset 0) f
where e.tableoid = f.part and e.ctid = f.place;

-- name: move_feeds [sqlite] (unit): add to the playbooks' counters, in ascending order, and tell where each now is
insert into feeds(shard, playbook, position, open)
select :shard, json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]')
from json_each(:moved) where true
on conflict (shard, playbook) do update set position = position + excluded.position, open = open + excluded.open
returning playbook, position;

-- name: insert_events [sqlite] (unit): new events at the ends of their streams and of their playbook's feed
insert into events(shard, stream, seq, playbook, position, type, v, at, by, data, content)
values (:shard, :stream, :seq, :playbook, :position, :type, :v, :at, :by, :data, :content);

-- name: append_events [postgres] (unit many): new events; tells how many requests are open now in each playbook
-- A counter is held from here to the commit, and no longer. Playbooks come in ascending order, and so are the counters
-- taken; an event names its playbook by its place there, and its position by how many come behind it.
with moved as (
  insert into feeds(shard, playbook, position, open)
  select :shard, w.* from unnest(:playbook, :added, :opened) as w
  on conflict (shard, playbook) do update
    set position = feeds.position + excluded.position, open = feeds.open + excluded.open
  returning playbook, position, open
), appended as (
  insert into events(shard, stream, seq, playbook, position, type, v, at, by, data, content)
  select :shard, w.stream, w.seq, (:playbook)[w.place], m.positions[w.place] - w.behind,
    w.type, w.v, w.at, w.by, w.data, w.content
  from (select array_agg(position order by playbook) as positions from moved) m
  cross join unnest(:stream, :seq, :place, :behind, :type, :v, :at, :by, :data, :content)
    as w(stream, seq, place, behind, type, v, at, by, data, content)
)
select playbook, open from moved;


-- == Rebuilding heads from their events, and counters from heads

-- name: folded_heads [sqlite] (rebuild): a page of heads that are folds of events; nobody else changes them meanwhile
select {head} from heads h
where h.shard = :shard and h.stream > :after and h.kind in (1, 2, 7, 8)
order by h.stream limit :limit;

-- name: folded_heads [postgres] (rebuild): a page of heads that are folds of events; nobody else changes them meanwhile
select {head} from heads h
where h.shard = :shard and h.stream > :after and h.kind in (1, 2, 7, 8)
order by h.stream limit :limit for update;

-- name: refold_events (rebuild): what folds of a page's streams since each one's latest beginning, and a request's parties
-- The beginnings are run_started and definition_saved: they are looked for, since a head may be wrong about them.
with begun as materialized (
  select h.stream, coalesce((
    select b.seq from events b
    where b.shard = h.shard and b.stream = h.stream and b.type in (1, 20)
    order by b.seq desc limit 1), 1) as seq
  from heads h
  where h.shard = :shard and h.stream > :after and h.stream <= :last and h.kind in (1, 2, 7, 8)
)
select e.stream, e.seq, e.at, e.by, e.type, e.v, e.data, case when e.type in (2, 8) then e.content end as content
from begun g
cross join events e on e.shard = :shard and e.stream = g.stream and e.seq >= g.seq;

-- name: counted_feeds [sqlite] (rebuild): counters of open requests; nobody else changes them meanwhile
select playbook, open from feeds
where shard = :shard and playbook >= :first and playbook <= :last
order by playbook;

-- name: counted_feeds [postgres] (rebuild): counters of open requests; nobody else changes them meanwhile
select playbook, open from feeds
where shard = :shard and playbook >= :first and playbook <= :last
order by playbook for update;

-- name: open_heads (rebuild): how many requests of these playbooks wait by their heads
select playbook, count(*) as open from heads
where shard = :shard and playbook >= :first and playbook <= :last and kind = 1 and outcome is null
group by playbook;


-- == What is due

-- name: count_failure (aside): a stream could not be handled; whatever is written of it next puts the count back to 0
update heads set fails = fails + 1 where shard = :shard and stream = :stream;

-- name: due: streams whose time has come, the longest due first
select stream, playbook, due_at from heads
where shard = :shard and due_at is not null and due_at <= :now
order by due_at, stream limit :limit;

-- name: claim [postgres]: streams whose time has come, the longest due first, put off for a minute; locks are not waited for
with found as materialized (
  select ctid as place, due_at from heads
  where shard = :shard and due_at is not null and due_at <= coalesce(:now, {statement_clock})
  order by due_at limit :limit for update skip locked
)
update heads h set due_at = coalesce(:now, {statement_clock}) + :put_off
from found f where h.ctid = f.place
returning h.stream, h.playbook, f.due_at, h.due_at as until;

-- name: release [postgres] (many): claims given back where nothing else was written; locks are not waited for
with found as materialized (
  select h.place, w.due_at from unnest(:stream, :until, :due_at) as w(stream, until, due_at)
  cross join lateral (
    select f.ctid as place from heads f
    where f.shard = :shard and f.stream = w.stream and f.due_at is not distinct from w.until
    for update skip locked) h
)
update heads h set due_at = f.due_at from found f where h.ctid = f.place;


-- == Reference data

-- name: lock_reference [postgres] (reference): let nobody else change reference data before the transaction ends
select 1 from meta for update;

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
select id, org, hash, permissions, playbooks, party, billing_org, at, by, expires_at, last_used_at, revoked_at,
  old_hash, old_until
from keys order by id;

-- name: playbook_named (turn): one playbook of an org
select playbook, org, name, shard, title, description, status, at, by, updated_at, retired_at
from playbooks where org = :org and name = :name;

-- name: key_named (turn): the API key with an id
select id, org, hash, permissions, playbooks, party, billing_org, at, by, expires_at, last_used_at, revoked_at,
  old_hash, old_until
from keys where id = :id;

-- name: add_org (reference): an org, if its name is new
insert into orgs(org, name) select coalesce(max(org), 0) + 1, :name from orgs where true on conflict (name) do nothing;

-- name: add_playbook (reference): a playbook, if its name is new in its org
insert into playbooks(playbook, org, name, shard, title, description, status, at, by, updated_at)
select coalesce(max(playbook), 0) + 1, :org, :name, :shard, :title, :description, :status, :at, :by, :at
from playbooks where true
on conflict (org, name) do nothing;

-- name: update_playbook (reference): a playbook's title and description
update playbooks set title = :title, description = :description, updated_at = :updated_at where playbook = :playbook;

-- name: retire_playbook (reference): end a playbook, for good; the first time stands
update playbooks set status = :status, retired_at = coalesce(retired_at, :retired_at) where playbook = :playbook;

-- name: add_caller (reference quiet): somebody whom `by` shall point at, if new in its org; found when looked for
insert into callers(caller, org, id) select coalesce(max(caller), 0) + 1, :org, :id from callers where true
on conflict (org, id) do nothing;

-- name: add_key (reference): an API key; its id must be new
insert into keys(id, org, hash, permissions, playbooks, party, billing_org, at, by, expires_at)
values (:id, :org, :hash, :permissions, :playbooks, :party, :billing_org, :at, :by, :expires_at);

-- name: revoke_key (reference): end a key, for good; the first time stands
update keys set revoked_at = coalesce(revoked_at, :revoked_at) where id = :id;

-- name: rotate_key (reference): give a key another secret; the one before it stays good until `old_until`
update keys set old_hash = hash, old_until = :old_until, hash = :hash where id = :id;

-- name: use_key (reference quiet): when a key was last used, unless another process knows of later
update keys set last_used_at = :last_used_at where id = :id and coalesce(last_used_at, 0) < :last_used_at;

-- name: prove_writable (reference quiet): change nothing, durably
update meta set created_at = created_at;

-- name: move_reference (reference): tell all processes that reference data changed
update meta set reference_version = reference_version + 1 returning reference_version;


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

-- name: open_children: a page of the streams that a parent opened and that have not ended, by their ids
select stream from heads
where shard = :shard and parent = :parent and parent is not null and outcome is null and stream > :after_stream
order by stream limit :limit;

-- name: open_members: a page of the requests that wait in a conversation, the longest asked first; who left costs nothing
select {head}, m.sent_id, m.asked_at from members m
cross join heads h on h.shard = m.shard and h.stream = m.stream
where m.shard = :shard and m.conversation = :conversation and m.left_at is null and m.asked_at is not null
  and (m.asked_at, m.sent_id, m.stream) > (:after_at, :after_id, :after_stream)
order by m.asked_at, m.sent_id, m.stream limit :limit;


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
select e.seq, e.at, e.by, e.position, e.type, e.v, e.data, e.content, e.playbook, h.kind, h.run_id, h.party, h.answerer
from events e cross join heads h on h.shard = e.shard and h.stream = e.stream
where e.shard = :shard and e.stream = :stream and e.seq = :seq;


-- == Lists

-- name: open_count: how many requests of a playbook wait
select open from feeds where shard = :shard and playbook = :playbook;

-- name: feed_after (big): a playbook's events after a position, in the order in which they were committed
select position, stream, seq, at, by, type, v, data, content from events
where shard = :shard and playbook = :playbook and position > :after
order by position limit :limit;

-- name: feed_end: the position of a playbook's last event
select position from feeds where shard = :shard and playbook = :playbook;

-- name: feed_at: the first event at a position or after it
select position, at from events
where shard = :shard and playbook = :playbook and position >= :position
order by position limit 1;

-- name: feed_page_desc (big): a playbook's events, the newest first, from the last 1,000 before a position
-- `floor` is the position below which nobody looks, `is_first` asks for the first events of streams or for the others.
-- `examined` is the position of the last event that was looked at, the same in each row; below it the next page begins,
-- when `more` is 1. A page holds at most 4 MiB of content; `matched` is how many rows it would have without that. One
-- without an event is one row whose stream is null.
with reached as materialized (
  select min(position) as examined, count(*) = 1000 as more from (
    select position from events
    where shard = :shard and playbook = :playbook and position < coalesce(:before_position, 9223372036854775807)
      and position >= :floor
    order by position desc limit 1000) as newest
), shown as materialized (
  select l.position, l.stream, l.seq, l.at, l.by, l.type, l.v, l.data, l.content, h.kind, h.run_id, h.party, h.answerer
  from events l
  cross join heads h on h.shard = l.shard and h.stream = l.stream
  where l.shard = :shard and l.playbook = :playbook
    and l.position < coalesce(:before_position, 9223372036854775807)
    and l.position >= (select examined from reached)
    and (:code is null or l.type = :code) and (:is_first is null or (l.seq = 1) = :is_first)
    and (:since is null or l.at >= :since)
  order by l.position desc limit :limit
), weighed as materialized (
  select w.*, sum(coalesce(length(w.content), 0)) over (order by w.position desc) as weight,
    count(*) over () as matched
  from shown w
)
select r.examined, r.more, s.* from reached r left join weighed s on s.weight <= 4194304
order by s.position desc;

-- name: feed_page_asc (big): a playbook's events, the oldest first, from the first 1,000 after a position
-- As above, from the other end.
with reached as materialized (
  select max(position) as examined, count(*) = 1000 as more from (
    select position from events
    where shard = :shard and playbook = :playbook and position > coalesce(:after_position, 0) and position >= :floor
    order by position limit 1000) as oldest
), shown as materialized (
  select l.position, l.stream, l.seq, l.at, l.by, l.type, l.v, l.data, l.content, h.kind, h.run_id, h.party, h.answerer
  from events l
  cross join heads h on h.shard = l.shard and h.stream = l.stream
  where l.shard = :shard and l.playbook = :playbook
    and l.position > coalesce(:after_position, 0) and l.position >= :floor
    and l.position <= (select examined from reached)
    and (:code is null or l.type = :code) and (:is_first is null or (l.seq = 1) = :is_first)
    and (:since is null or l.at >= :since)
  order by l.position limit :limit
), weighed as materialized (
  select w.*, sum(coalesce(length(w.content), 0)) over (order by w.position) as weight,
    count(*) over () as matched
  from shown w
)
select r.examined, r.more, s.* from reached r left join weighed s on s.weight <= 4194304
order by s.position;

-- name: audit_page (big): a playbook's events after a position, with what each one's stream is of
select e.position, e.stream, e.seq, e.at, e.by, e.type, e.v, e.data, e.content, h.kind, h.run_id
from events e
left join heads h on h.shard = e.shard and h.stream = e.stream
where e.shard = :shard and e.playbook = :playbook and e.position > :after
order by e.position limit :limit;

-- name: open_requests (big): what waits in a playbook, the newest first, with each request as it was put
select {head}, e.type as asked_type, e.v as asked_v, e.at as asked_at, e.data, e.content,
  d.type, d.name, d.output_schema, d.version as function_version
from heads o
cross join heads h on h.shard = o.shard and h.stream = o.stream
cross join events e on e.shard = h.shard and e.stream = h.stream and e.seq = h.from_seq + 1
left join definitions d on d.shard = h.shard and d.stream = h.definition and d.version = h.definition_version
where o.shard = :shard and o.playbook = :playbook and o.kind = 1 and o.outcome is null
  and o.stream < coalesce(:before, {last_stream}) and (:function is null or o.definition = :function)
order by o.stream desc limit :limit;

-- name: open_to_party: the newest streams of a playbook that wait for a party: those put to it, and those it is to answer
select stream from (
  select o.stream from heads o
  where o.shard = :shard and o.playbook = :playbook and o.kind = 1 and o.outcome is null and o.party = :party
    and o.stream < coalesce(:before, {last_stream}) and (:to is null or o.party = :to)
    and (:function is null or o.definition = :function)
  order by o.stream desc limit :limit) as put
union all
select stream from (
  select o.stream from heads o
  where o.shard = :shard and o.playbook = :playbook and o.kind = 1 and o.outcome is null and o.answerer = :party
    and o.stream < coalesce(:before, {last_stream}) and (:to is null or o.party = :to)
    and (:function is null or o.definition = :function)
  order by o.stream desc limit :limit) as answered;

-- name: open_requests_named [sqlite] (big): of these streams those that wait, the newest first, with each request as it was put
select {head}, e.type as asked_type, e.v as asked_v, e.at as asked_at, e.data, e.content,
  d.type, d.name, d.output_schema, d.version as function_version
from heads h
cross join events e on e.shard = h.shard and e.stream = h.stream and e.seq = h.from_seq + 1
left join definitions d on d.shard = h.shard and d.stream = h.definition and d.version = h.definition_version
where h.shard = :shard and h.stream in :streams... and h.kind = 1 and h.outcome is null
order by h.stream desc;

-- name: open_requests_named [postgres] (big many): of these streams those that wait, the newest first, with each request
select {head}, e.type as asked_type, e.v as asked_v, e.at as asked_at, e.data, e.content,
  d.type, d.name, d.output_schema, d.version as function_version
from unnest(:streams) as w(stream)
cross join heads h on h.shard = :shard and h.stream = w.stream
cross join events e on e.shard = h.shard and e.stream = h.stream and e.seq = h.from_seq + 1
left join definitions d on d.shard = h.shard and d.stream = h.definition and d.version = h.definition_version
where h.kind = 1 and h.outcome is null
order by h.stream desc;

-- name: open_among [sqlite] (big): what waits in any of some playbooks, the newest first: a look at each
select w.value as playbook, h.stream from json_each('[' || :among || ']') w
cross join heads h on h.shard = :shard and h.stream in (
  select i.stream from heads i
  where i.shard = :shard and i.playbook = w.value and i.kind = 1 and i.outcome is null
    and i.stream < coalesce(:before, {last_stream}) and (:party is null or i.party = :party)
  order by i.stream desc limit :limit)
order by h.stream desc limit :limit;

-- name: open_among [postgres] (big): what waits in any of some playbooks, the newest first: a look at each
select w.playbook, o.stream from unnest(cast('{' || :among || '}' as int[])) as w(playbook)
cross join lateral (
  select stream from (
    select i.stream from heads i
    where :party is null and i.shard = :shard and i.playbook = w.playbook and i.kind = 1 and i.outcome is null
      and i.stream < coalesce(:before, {last_stream})
    order by i.stream desc limit :limit) as of_all
  union all
  select stream from (
    select i.stream from heads i
    where i.party = :party and i.shard = :shard and i.playbook = w.playbook and i.kind = 1 and i.outcome is null
      and i.stream < coalesce(:before, {last_stream})
    order by i.stream desc limit :limit) as of_one) o
order by o.stream desc limit :limit;

-- name: runs_page (big): runs by their first start, the newest first, from the last 1,000 events before a position
-- `outcome` 0 asks for runs without one. `examined` is the position of the last event that was looked at, the same in
-- each row; below it the next page begins, when `more` is 1 or rows were cut off by the limit. A page without a run is
-- one row whose stream is null.
with reached as materialized (
  select min(position) as examined, count(*) = 1000 as more from (
    select position from events
    where shard = :shard and playbook = :playbook and position < coalesce(:before_position, 9223372036854775807)
    order by position desc limit 1000) as newest
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

-- name: org_runs_page (big): runs of an org by their first start, the newest first, from the last 1,000 before a stream
-- `examined` is the last stream that was looked at, the same in each row; before it the next page begins, when `more`
-- is 1 or rows were cut off by the limit. A page without a run is one row whose stream is null.
with newest as materialized (
  select shard, stream from (
    select shard, stream from (
      select shard, stream from heads
      where shard = :shard and org = :org and kind in (1, 5) and stream < coalesce(:before, {last_stream})
      order by stream desc limit 1000) as asked
    union all
    select shard, stream from (
      select shard, stream from heads
      where shard = :shard and org = :org and kind in (2, 4) and stream < coalesce(:before, {last_stream})
      order by stream desc limit 1000) as others) as either
  order by stream desc limit 1000
), reached as materialized (
  select (select stream from newest order by stream limit 1) as examined,
    (select count(*) = 1000 from newest) as more
), started as materialized (
  select {head}, e.at as event_at, e.type, e.v, e.data, d.type as definition_type, d.name as definition_name
  from newest n
  cross join heads h on h.shard = n.shard and h.stream = n.stream
  cross join events e on e.shard = h.shard and e.stream = h.stream and e.seq = h.seq
  left join definitions d on d.shard = h.shard and d.stream = h.definition and d.version = h.definition_version
  where n.shard = :shard and (:outcome is null or coalesce(h.outcome, 0) = :outcome)
    and (:type is null or d.type = :type) and (:name is null or d.name = :name)
  order by h.stream desc limit :limit
)
select r.examined, r.more, s.* from reached r left join started s on true order by s.stream desc;


-- == How a store stands: counts that stop at a limit, whatever waits behind it

-- name: meta: what the store says of itself
select schema_version, shards from meta;

-- name: store_bytes [sqlite]: the size of the file
select page_count * page_size as bytes from pragma_page_count, pragma_page_size;

-- name: store_bytes [postgres]: the size of the database
select pg_database_size(current_database()) as bytes;

-- name: server_settings [sqlite]: what there is to know of the library
select 'server_version' as name, sqlite_version() as setting;

-- name: server_settings [postgres]: what an operator may have set that matters here
select name, setting from pg_settings
where name in ('server_version', 'max_connections', 'fsync', 'full_page_writes', 'synchronous_commit');

-- name: feeds_total (big): the playbooks in use, their events so far, and how many of their requests wait
select count(*) as playbooks, cast(coalesce(sum(position), 0) as bigint) as events,
  cast(coalesce(sum(open), 0) as bigint) as open
from feeds where shard = :shard;

-- name: due_first (big): of the first that are due up to a moment: how many, requests that expire by then, unsent ones
-- A request that is due before it expires has something to be done first: its message is to be sent.
select count(*) as seen,
  coalesce(sum(case when kind = 1 and expires_at <= :until then 1 else 0 end), 0) as expiring,
  coalesce(sum(case when kind = 1 and due_at < expires_at then 1 else 0 end), 0) as unsent
from (
  select kind, due_at, expires_at from heads
  where shard = :shard and due_at is not null and due_at <= :until
  order by due_at limit :limit) as looked_at;

-- name: failing (big): what failed when it was last looked at, at most so many: conversations, and others
select count(*) as seen,
  coalesce(sum(case when kind = 3 then 1 else 0 end), 0) as conversations,
  coalesce(sum(case when kind <> 3 then 1 else 0 end), 0) as others
from (select kind from heads where shard = :shard and fails > 0 limit :limit) as looked_at;

-- name: failing_notices (big): playbooks of whose requests nobody could be told when last tried, at most so many
select count(*) as seen from (
  select 1 as failing from subscriptions where shard = :shard and failed_since is not null and ended_at is null
  limit :limit) as looked_at;


-- == Notices: a place that is told of new requests is a cursor on each playbook's feed

-- name: follower: since when a follower is known, which its own row has for a position
select position as since from subscriptions where shard = :shard and id = :id;

-- name: add_follower (aside): a follower, known from now on if it was not before
insert into subscriptions(shard, id, org, url, position) values (:shard, :id, 0, :url, :since)
on conflict (shard, id) do nothing;

-- name: add_subscription (aside): a cursor, if it is new; it begins where the feed is now, or at the beginning
insert into subscriptions(shard, id, playbook, org, url, position)
select :shard, :id, :playbook, :org, :url, case when :from_now then coalesce((
  select f.position from feeds f where f.shard = :shard and f.playbook = :playbook), 0) else 0 end
where true
on conflict (shard, id) do nothing;

-- name: subscriptions_behind (big): cursors of a place that have something before them, and are not put off
select s.shard, s.id, s.playbook, s.org, s.position, s.due_at, s.fails, s.failed_since, s.last_error
from subscriptions s
cross join feeds f on f.shard = s.shard and f.playbook = s.playbook
where s.shard = :shard and s.url = :url and s.ended_at is null and s.position < f.position
  and s.id > :after and (s.due_at is null or s.due_at <= :now)
order by s.id limit :limit;

-- name: claim_subscription (aside): hold a cursor for a moment, if it still stands where it was seen
update subscriptions set due_at = :until
where shard = :shard and id = :id and position = :position and ended_at is null and (due_at is null or due_at <= :now)
returning id;

-- name: move_subscription (aside): a cursor as it stands after its notices were brought
update subscriptions set position = :position, due_at = :due_at, fails = :fails, failed_since = :failed_since,
  last_error = :last_error
where shard = :shard and id = :id and position = :base_position;

-- name: subscriptions (big): all cursors, with how far their feeds are
select s.shard, s.id, s.playbook, s.org, s.url, s.position, s.due_at, s.fails, s.failed_since, s.last_error,
  coalesce(f.position, 0) as fed
from subscriptions s
left join feeds f on f.shard = s.shard and f.playbook = s.playbook
where s.shard = :shard and s.ended_at is null and s.playbook is not null
order by s.url, s.playbook;

-- name: replay_subscription (aside): let a cursor go back, to bring again what comes after a time
update subscriptions set due_at = null, fails = 0, failed_since = null, last_error = null,
  position = coalesce((
    select e.position - 1 from events e
    where e.shard = :shard and e.playbook = :playbook and e.at >= :since
    order by e.position limit 1), position)
where shard = :shard and id = :id;

-- name: fed_endings (big): the runs that ended among the next 500 events of a playbook that were before a time
-- `reached` is the position of the last event that was looked at, the same in each row. Without an ending there is one
-- row whose stream is null.
with fed as materialized (
  select position, stream, type, at from events
  where shard = :shard and playbook = :playbook and position > :after
  order by position limit 500
), old as materialized (
  select position, stream, type from fed where position < coalesce((select min(position) from fed where at >= :until),
    9223372036854775807)
)
select r.reached, w.stream from (select max(position) as reached from old) r
left join old w on w.type in (5, 6, 7) order by w.position;

-- name: fed_requests (big): the requests that were put among the next 500 events of a playbook, the first put first
-- `reached` is the position of the last event that was looked at, the same in each row. Without a request there is one
-- row whose stream is null.
with fed as materialized (
  select position, stream, seq, at, type, v, data, content from events
  where shard = :shard and playbook = :playbook and position > :after
  order by position limit 500
), put as materialized (
  select w.position, w.stream, w.seq, w.at, w.type, w.v, w.data, w.content, h.run_id,
    d.type as definition_type, d.name as definition_name, d.version as definition_version, d.output_schema
  from fed w
  cross join heads h on h.shard = :shard and h.stream = w.stream
  left join definitions d on d.shard = h.shard and d.stream = h.definition and d.version = h.definition_version
  where w.type = 2
)
select r.reached, p.* from (select max(position) as reached from fed) r left join put p on true order by p.position;
