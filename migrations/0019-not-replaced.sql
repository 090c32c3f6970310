-- A row that takes the place of another one changes it: on a file that went past the refusals of changes.

-- for sqlite
create trigger admin_audit_not_replaced before insert on admin_audit when exists (select 1 from admin_audit where id = new.id or rowid = new.rowid) begin select raise(abort, 'admin_audit is append-only'); end;
-- for sqlite
create trigger audit_not_replaced before insert on audit when exists (select 1 from audit where id = new.id or rowid = new.rowid) begin select raise(abort, 'audit is append-only'); end;
