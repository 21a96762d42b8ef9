-- What failed when it was last looked at is found without looking at what waits.
create index head_failing on heads(shard, kind) where fails > 0;
insert into sqlite_stat1(tbl, idx, stat) values ('heads', 'head_failing', '100 100 50');
analyze sqlite_schema;
