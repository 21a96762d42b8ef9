-- The statements of months of events, in the form of sql.py. {events} is where the events of the month are: its own
-- partition, or the default one; {kept} what stays of them, {dropped} what does not. Its streams are from {first} up to
-- {end}. Each looks at one shard of run data, but for those on tables.

-- name: partitions: where events are, about how many (less than 0: nobody knows yet), and how many bytes with indexes
select c.relname as name, cast(c.reltuples as bigint) as events, pg_total_relation_size(c.oid) as bytes
from pg_inherits i join pg_class c on c.oid = i.inhrelid
where i.inhparent = to_regclass('events')
order by c.relname;

-- name: months_by_default: the months of the events that are in no partition of a month
select to_char(to_timestamp(milliseconds / 1000.0) at time zone 'utc', 'YYYY-MM') as month, count(*) as events
from (
  select cast(cast('x' || left(replace(cast(stream as text), '-', ''), 12) as bit(48)) as bigint) as milliseconds
  from events_default) as made
group by month order by month;

-- name: drop_kept: what an attempt that was cut off had copied
drop table if exists {kept};

-- name: drop_dropped: the events that are nowhere any more
drop table if exists {dropped};

-- name: last_events: of each feed the last of the events among which those that go are
select f.playbook, l.position
from feeds f join lateral (
  select e.position from {events} e
  where e.shard = f.shard and e.playbook = f.playbook and e.at < :ended_before
    and e.stream >= {first} and e.stream < {end}
  order by e.position desc limit 1) l on true
where f.shard = :shard and f.first_position <= l.position
order by f.playbook;

-- name: move_first_position: from here on a feed is whole
update feeds set first_position = greatest(first_position, :first_position)
where shard = :shard and playbook = :playbook;

-- name: let_go: of the streams before one the newest that may go, with what hangs on them; at most so many
-- A stream stays while it is open or ended lately, if it is of a kind that lasts, while a child of it is there, and
-- while something above it is open or ended lately. Children are newer than their parents, so they go first. What is
-- locked is in somebody's hands, and stays for this time.
with going as materialized (
  select h.stream, h.parent from heads h
  where h.shard = :shard and h.stream >= {first} and h.stream < :before_stream
    and h.outcome is not null and h.ended_at < :ended_before and h.kind not in (3, 7, 8)
    and not exists (select from heads c where c.shard = h.shard and c.parent = h.stream)
    and (h.parent is null or not exists (
      with recursive above as (
        select p.parent, p.outcome, p.ended_at from heads p where p.shard = h.shard and p.stream = h.parent
        union all
        select p.parent, p.outcome, p.ended_at from above a
        cross join heads p on p.shard = h.shard and p.stream = a.parent)
      select from above where outcome is null or ended_at >= :ended_before))
  order by h.stream desc limit :limit
  for update of h skip locked
), states_gone as (delete from states s using going g where s.shard = :shard and s.stream = g.stream
), inbox_gone as (delete from inbox i using going g where i.shard = :shard and i.stream = g.stream
), members_gone as (delete from members m using going g where m.shard = :shard and m.stream = g.stream
), heads_gone as (delete from heads h using going g where h.shard = :shard and h.stream = g.stream
){events_gone}
select count(*) as gone, count(parent) as children, (select stream from going order by stream limit 1) as last
from going;

-- name: make_kept: a table for what stays of the month, whose rows need no look before it is a partition
create table {kept} (like events including all, check (stream >= {first} and stream < {end}));

-- name: feeds_are_at: where the feeds are: what is written from now on comes behind
select shard, playbook, position from feeds;

-- name: keep_events: copy the events of the next streams of the month that are still there
with next as materialized (
  select stream from heads
  where shard = :shard and stream > :after_stream and stream < {end}
  order by stream limit :limit
), copied as (
  insert into {kept} select e.* from next n cross join {events} e on e.shard = :shard and e.stream = n.stream
  where true on conflict do nothing returning 1
)
select (select count(*) from next) as streams, (select count(*) from copied) as events,
  (select stream from next order by stream desc limit 1) as last;

-- name: catch_up: copy the events of the month that were written since the feeds were there
insert into {kept}
select e.* from :fed...3 f
cross join feeds n on n.shard = f.column1 and n.playbook = f.column2 and n.position > f.column3
cross join {events} e on e.shard = n.shard and e.playbook = n.playbook and e.position > f.column3
where true on conflict do nothing;

-- name: number_of_kept: which table it is that has the name
select cast(to_regclass('{kept}') as oid) as number;

-- name: hold_events: nobody reads or writes an event until the transaction ends
lock table only events in access exclusive mode;

-- name: detach: the events of the month leave the table of events
alter table events detach partition {events};

-- name: name_dropped: and give their name away
alter table {events} rename to {dropped};

-- name: name_kept: to what stays
alter table {kept} rename to {events};

-- name: attach: which takes their place
alter table events attach partition {events} for values from ({first}) to ({end});
