-- What is due is found, in the order in which it is taken, without a look at the heads themselves.
drop index head_due;
create index head_due on heads(shard, due_at, stream, playbook) where due_at is not null;
delete from sqlite_stat1 where idx = 'head_due';
insert into sqlite_stat1(tbl, idx, stat) values ('heads', 'head_due', '10000 10000 1 1 1');
analyze sqlite_schema;
