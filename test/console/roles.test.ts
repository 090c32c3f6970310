/** Tests that the console describes each role by what the permission table lets it do. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { roles as english } from '../../console/src/i18n/en/roles.ts';
import { roles as persian } from '../../console/src/i18n/fa/roles.ts';
import { type Right, rightsOf, roles } from '../../src/admin/access/roles.ts';

/** Words that show that a description mentions a right. */
const words: Readonly<Record<Right, readonly [en: RegExp, fa: RegExp]>> = {
  read: [/^Views\b.*\bmasked/, /می‌بیند.*پوشیده/],
  resolve: [/need review/, /نیازمند بررسی/],
  unmask: [/show mobile numbers/, /شمارهٔ موبایل را .*مشاهده/],
  routes_read: [/sees routes/, /مسیرها، فهرست‌های قیمت، هزینه‌ها/],
  prices_read: [/sees .*price lists/, /فهرست‌های قیمت، هزینه‌ها/],
  cost: [/sees .*costs/, /هزینه‌ها و حاشیهٔ سود را می‌بیند/],
  prices: [/manages .*price lists/, /فهرست‌های قیمت، .*مدیریت/],
  routes: [/manages .*routes/, /مسیرها.* را مدیریت/],
  catalogue: [/manages the catalogue.*suspends operators/, /کاتالوگ.*مدیریت.*معلق می‌کند/],
  clients: [/manages .*clients/, /مشتریان .*مدیریت/],
  money: [/balances/, /موجودی/],
  credit: [/balances and credit/, /موجودی و اعتبار آن‌ها/],
  float: [/floats/, /اعتبار نزد تأمین‌کنندگان/],
  audit: [/audit log/, /گزارش رویدادها/],
  accounts: [/manages accounts/, /حساب‌ها .*مدیریت/],
  settings: [/manages .*settings/, /تنظیمات.* را مدیریت/],
};

describe('The description of a role', () => {
  for (const [place, role] of roles.entries()) {
    test(`names exactly what ${role} may do beyond the role before it`, () => {
      const before = place === 0 ? [] : rightsOf(roles[place - 1] ?? 'viewer');
      const added = rightsOf(role).filter((right) => !before.includes(right));
      const named = (text: string, language: 0 | 1): string[] =>
        Object.entries(words)
          .filter(([, patterns]) => patterns[language].test(text))
          .map(([right]) => right);
      assert.deepEqual(named(english[`${role}May`], 0).sort(), [...added].sort());
      assert.deepEqual(named(persian[`${role}May`], 1).sort(), [...added].sort());
    });
  }
});
