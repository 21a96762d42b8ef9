-- A key may be given another secret, while the one before it stays good for a time.
alter table keys add column old_hash bytea;
alter table keys add column old_until bigint;
-- Who answers a request, where that is not its party: content, as the party is.
alter table heads add column answerer text collate "C";
update heads h set answerer = e.content::json ->> 'answerer' from events e
where h.kind = 1 and h.outcome is null and e.shard = h.shard and e.stream = h.stream and e.seq = h.from_seq + 1
  and e.type = 2 and e.content like '%"answerer":%';
-- What waits for a party is found without a look at what waits for others. No other list can use these.
create index head_party on heads(shard, playbook, party, stream) include (definition)
  where kind = 1 and outcome is null and party is not null;
create index head_answerer on heads(shard, playbook, answerer, stream) include (party, definition)
  where kind = 1 and outcome is null and answerer is not null;
