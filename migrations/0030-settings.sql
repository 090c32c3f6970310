-- Other processes notice a change of the settings. Programs before this one would count the days of limits in UTC.
insert into versions (name, version) values ('settings', '');
