-- What people did and decided is added to and never changed: the database itself refuses it.

-- for sqlite
create trigger admin_audit_not_changed before update on admin_audit begin select raise(abort, 'admin_audit is append-only'); end;
-- for sqlite
create trigger admin_audit_not_deleted before delete on admin_audit begin select raise(abort, 'admin_audit is append-only'); end;
-- for sqlite
create trigger audit_not_changed before update on audit begin select raise(abort, 'audit is append-only'); end;
-- for sqlite
create trigger audit_not_deleted before delete on audit begin select raise(abort, 'audit is append-only'); end;

-- for postgres
create function refuse_change() returns trigger language plpgsql as $$ begin raise exception '% is append-only', tg_table_name; end $$;
-- for postgres
create trigger admin_audit_append_only before update or delete or truncate on admin_audit execute function refuse_change();
-- for postgres
create trigger audit_append_only before update or delete or truncate on audit execute function refuse_change();
