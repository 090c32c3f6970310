-- Converts what earlier versions recorded in words: src/db/migrate/conversions/facts.ts does so in batches, each of
-- them a transaction. What follows here runs when nothing is left to convert.
-- by code

drop table purchase_notes_in_words;
alter table restore_operators drop column detail;
