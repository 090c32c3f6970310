/** Owns the Persian words of the audit. */
import type { audit as english } from '../en/audit.ts';
import type { Same } from '../same.ts';

export const audit: Same<typeof english> = {
  at: 'زمان',
  actor: 'چه کسی',
  command: '%{name} (خط فرمان)',
  action: 'چه کاری',
  subject: 'دربارهٔ',
  change: 'تغییر',
  address: 'از نشانی',
  filter: 'دربارهٔ کدام شناسه',
  onlyThis: 'فقط رویدادهای %{id}',
  nothing: 'چیزی در این باره ثبت نشده است.',
  was: '%{field}: از %{before} به %{after}',
  is: '%{field}: %{after}',
  actions: {
    'account create': 'حسابی ساخت',
    'account change': 'حسابی را تغییر داد',
    'account setup': 'پیوند تازه داد',
    'account password': 'گذرواژه‌ای با خط فرمان تعیین کرد',
    'account sessions end': 'همهٔ نشست‌ها را پایان داد',
    'account totp reset': 'عامل دوم را برداشت',
    'password change': 'گذرواژهٔ خود را تغییر داد',
    'password set': 'با پیوند گذرواژه تعیین کرد',
    'totp begin': 'راه‌اندازی عامل دوم را آغاز کرد',
    'totp on': 'عامل دوم را فعال کرد',
    'totp off': 'عامل دوم را برداشت',
    'sign in': 'وارد شد',
    'sign out': 'خارج شد',
  },
  fields: {
    agent: 'مرورگر',
    name: 'نام',
    role: 'نقش',
    status: 'وضعیت',
    sessions: 'نشست‌ها',
    totp: 'عامل دوم',
    password: 'گذرواژه',
  },
};
