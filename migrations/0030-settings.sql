-- Other processes notice a change of the settings. Programs before this one would count the days of limits in UTC.
insert into versions (name, version) values ('settings', '');

-- Days of limits were those of UTC. Where another time zone is set, this is its change, within a day of UTC.
-- for sqlite
insert into settings (name, value)
select 'time_zone_change', json_object('at', moment, 'day_began', moment - moment % 86400000,
  'day_ends', moment - moment % 86400000 + 86400000)
from (select unixepoch() * 1000 as moment) as present
where exists (select 1 from settings where name = 'time_zone' and value <> 'UTC');
-- for postgres
insert into settings (name, value)
select 'time_zone_change', cast(json_build_object('at', moment, 'day_began', moment - moment % 86400000,
  'day_ends', moment - moment % 86400000 + 86400000) as text)
from (select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as moment) as present
where exists (select 1 from settings where name = 'time_zone' and value <> 'UTC');
