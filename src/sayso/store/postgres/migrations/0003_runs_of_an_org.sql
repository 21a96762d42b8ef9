-- With head_org, all runs of an org are found by the time at which they were made. It holds the few kinds that the
-- other leaves out, so that no question costs more to write.
create index head_org_others on heads(shard, org, stream) where kind in (2, 4);
