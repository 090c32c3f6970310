/** Names the SQL statements of a purchase, for tests that crash between them. */

const statements: readonly (readonly [name: string, form: RegExp])[] = [
  ['begin', /^begin( immediate)?$/],
  ['commit', /^commit$/],
  ['the lock on the account', /^select client_id, [^]* from accounts where client_id (in|=) /],
  [
    'the look for the key',
    /^select .* from purchases where \(?client_id(, | = \? and )idempotency_key/,
  ],
  ['the look for the purchase', /^select .* from purchases where \(?client_id(, | = \? and )id\b/],
  ['the insert of the purchase', /^insert into purchases /],
  ['the update of the purchase', /^(with next [^]* )?update purchases set state = /],
  ['the insert of the note', /^insert into purchase_notes /],
  ['the insert of the posting', /^insert into postings /],
  ['the update of the account', /^(insert into|update) accounts /],
  ['the claim', /^with due as [^]* update purchases set fence = fence \+ 1, due_at = \?/],
  [
    'the bringing forward',
    /^update purchases set due_at = \? where due_at is not null and due_at > /,
  ],
  ['the taking over', /^update purchases set fence = fence \+ 1, due_at = \?, send_before = \?/],
];

export const statementNames: readonly string[] = statements.map(([name]) => name);

/** The purpose of a statement; undefined if it does not belong to a purchase. */
export const statementName = (sql: string): string | undefined =>
  statements.find(([, form]) => form.test(sql))?.[0];
