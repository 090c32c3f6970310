-- The console chooses an operator's connector too. Programs before this one would go by the file's.

-- What the file named when the console chose another, '' for none: the row counts as long as the file names that.
-- Null where the connector is the file's own.
alter table operator_settings add column chosen_over text;
