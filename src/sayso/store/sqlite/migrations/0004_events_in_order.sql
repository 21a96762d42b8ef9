-- Events lie in the order in which they were written, and are found by an index. Kept by their streams, each answer
-- tore a full page in two, and a row of more than a thousand bytes took a page of its own.
alter table events rename to events_by_stream;
create table events(
  shard int not null,
  stream blob not null,
  seq int not null check (seq > 0),
  playbook int not null,
  position int not null,
  type int not null,
  v int not null,
  at int not null,
  by int not null,
  data text not null,
  content text,                                    -- the last column: a look at the others need not pass it
  primary key (shard, stream, seq)
) strict;
insert into events select * from events_by_stream order by shard, stream, seq;
drop table events_by_stream;
create unique index feed on events(shard, playbook, position);
