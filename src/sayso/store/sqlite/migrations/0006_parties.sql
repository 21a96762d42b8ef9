-- A key may be given another secret, while the one before it stays good for a time.
alter table keys add column old_hash blob;
alter table keys add column old_until int;
-- Who answers a request, where that is not its party: content, as the party is.
alter table heads add column answerer text;
update heads set answerer = (
  select json_extract(e.content, '$.answerer') from events e
  where e.shard = heads.shard and e.stream = heads.stream and e.seq = heads.from_seq + 1 and e.type = 2
    and json_valid(e.content))
where kind = 1 and outcome is null;
-- What waits for another answerer than its party. The last columns are there so that nothing but the index is read.
create index head_answerer on heads(shard, playbook, answerer, stream, party, definition, kind, outcome)
  where kind = 1 and outcome is null and answerer is not null;
insert into sqlite_stat1(tbl, idx, stat) values
  ('heads', 'head_answerer', '1000 1000 10 2 1 1 1 1 1');
analyze sqlite_schema;
