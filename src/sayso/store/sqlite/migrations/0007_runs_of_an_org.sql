-- With head_org, all runs of an org are found by the time at which they were made. It holds the few kinds that the
-- other leaves out, so that no question costs more to write.
create index head_org_others on heads(shard, org, stream) where kind in (2, 4);
insert into sqlite_stat1(tbl, idx, stat) values ('heads', 'head_org_others', '100000 100000 1000 1');
analyze sqlite_schema;
