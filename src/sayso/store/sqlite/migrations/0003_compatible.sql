-- The oldest version of the tables that a program must know to use these. A migration that takes away or renames what
-- older programs use raises it; one that only adds leaves it.
alter table meta add column compatible_from int not null default 1;
