/** Contains the Persian texts for the user's own account. */
import type { ownAccount as english } from '../en/own-account.ts';
import type { Same } from '../same.ts';

export const ownAccount: Same<typeof english> = {
  who: 'مشخصات',
  name: 'نام کاربری',
  role: 'نقش',
  sessionEnds: 'پایان نشست در صورت عدم استفاده',
  signedIn: 'آخرین ورود',
  password: 'گذرواژه',
  passwordText: 'با تغییر آن، همهٔ نشست‌های دیگر شما پایان می‌یابد.',
  current: 'گذرواژهٔ کنونی',
  change: 'تغییر گذرواژه',
  changed: 'گذرواژه تغییر کرد.',
  factor: 'برنامهٔ احراز هویت',
  factorOn: 'فعال',
  factorOff: 'غیرفعال',
  factorOnText: 'در هر ورود، کد برنامهٔ احراز هویت را وارد می‌کنید.',
  factorOffText:
    'اگر گذرواژهٔ شما لو برود، حسابتان محفوظ می‌ماند. به یک برنامهٔ احراز هویت روی تلفن نیاز دارید.',
  begin: 'راه‌اندازی',
  beginText: 'برای دریافت کد تصویری برنامهٔ احراز هویت، گذرواژهٔ خود را وارد کنید.',
  scan: 'این کد تصویری را با برنامهٔ احراز هویت اسکن و سپس کد برنامه را وارد کنید.',
  picture: 'کد تصویری برای برنامهٔ احراز هویت؛ کلید زیر همان است',
  secret: 'کلید، اگر اسکن ممکن نیست',
  code: 'کد برنامه',
  turnOn: 'فعال کردن',
  turnedOn: 'برنامهٔ احراز هویت فعال شد.',
  remove: 'حذف',
  removeText:
    'اگر گذرکلیدی نداشته باشید، گذرواژه به‌تنهایی برای ورود کافی است. همهٔ نشست‌های دیگر شما پایان می‌یابد. برای تأیید، گذرواژهٔ خود را وارد کنید.',
  removed: 'برنامهٔ احراز هویت حذف شد.',
};
