-- Instances that run notice a change of the schema as they notice other changes. The table of migrations
-- itself, with the oldest program that each lets run, is made by what applies them.

insert into versions (name, version) values ('schema', '');
