-- A key may be given another secret, while the one before it stays good for a time.
alter table keys add column old_hash bytea;
alter table keys add column old_until bigint;
-- Who answers a request, where that is not its party: content, as the party is.
alter table heads add column answerer text collate "C";
update heads h set answerer = e.content::json ->> 'answerer' from events e
where h.kind = 1 and h.outcome is null and e.shard = h.shard and e.stream = h.stream and e.seq = h.from_seq + 1
  and e.type = 2 and e.content like '%"answerer":%';
-- What waits for a party is found without a look at the heads of what waits for others: only what an index is by is
-- looked at in the index itself.
drop index head_open;
create index head_open on heads(shard, playbook, stream, party) include (definition) where kind = 1 and outcome is null;
-- What waits for another answerer than its party.
create index head_answerer on heads(shard, playbook, answerer, stream) include (party, definition)
  where kind = 1 and outcome is null and answerer is not null;
