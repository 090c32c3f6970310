/** Contains the Persian texts for accounts. */
import type { accounts as english } from '../en/accounts.ts';
import type { Same } from '../same.ts';

export const accounts: Same<typeof english> = {
  name: 'نام کاربری',
  role: 'نقش',
  status: 'وضعیت',
  password: 'گذرواژه',
  passwordSet: 'تعیین شده',
  passwordMissing: 'هنوز تعیین نشده',
  factor: 'ورود دومرحله‌ای',
  factorOn: 'فعال',
  factorOff: 'غیرفعال',
  signedIn: 'آخرین ورود',
  never: 'هرگز',
  you: '%{name} (شما)',
  actionsOf: 'عملیات %{name}',
  create: 'حساب جدید',
  createText:
    'یک پیوند یک‌بارمصرف با اعتبار یک روز دریافت می‌کنید که صاحب حساب با آن گذرواژه تعیین می‌کند.',
  createSubmit: 'ایجاد حساب',
  nameHelp: '۲ تا ۶۴ نویسه: حروف a تا z و رقم، و پس از نویسهٔ ابتدا . _ @ - هم مجاز است.',
  link: 'پیوند',
  linkTitle: 'پیوند برای %{name}',
  linkText: 'این پیوند را از مسیری امن برای صاحب حساب بفرستید. فقط یک بار و تا %{until} معتبر است.',
  changeRole: 'تغییر نقش',
  changeRoleTitle: 'تغییر نقش %{name}',
  changeRoleText: 'همهٔ نشست‌های این حساب پایان می‌یابد و صاحب آن با نقش جدید دوباره وارد می‌شود.',
  disable: 'غیرفعال کردن',
  disableTitle: 'غیرفعال کردن %{name}',
  disableText:
    'این حساب دیگر اجازهٔ ورود ندارد و همهٔ نشست‌هایش هم‌اکنون پایان می‌یابد. این کار برگشت‌پذیر است.',
  enable: 'فعال کردن',
  enableTitle: 'فعال کردن %{name}',
  enableText: 'این حساب دوباره می‌تواند با همان گذرواژهٔ قبلی وارد شود.',
  newLink: 'پیوند جدید',
  newLinkTitle: 'پیوند جدید برای %{name}',
  newLinkText:
    'گذرواژهٔ کنونی و همهٔ نشست‌ها هم‌اکنون پایان می‌یابد. با پیوند جدید گذرواژهٔ جدیدی تعیین می‌شود.',
  newLinkSubmit: 'ایجاد پیوند جدید',
  resetFactor: 'حذف برنامهٔ احراز هویت',
  resetFactorTitle: 'حذف برنامهٔ احراز هویت %{name}',
  resetFactorText:
    'برای کاربری که تلفنش را گم کرده است. اگر گذرکلیدی نباشد، از این پس گذرواژه به‌تنهایی برای ورود کافی است. همهٔ نشست‌ها هم‌اکنون پایان می‌یابد.',
  resetPasskeys: 'حذف همهٔ گذرکلیدها',
  resetPasskeysTitle: 'حذف همهٔ گذرکلیدهای %{name}',
  resetPasskeysText:
    'برای کاربری که آن‌ها را گم کرده است. بدون برنامهٔ احراز هویت، گذرواژه به‌تنهایی برای ورود کافی است. همهٔ نشست‌ها هم‌اکنون پایان می‌یابد.',
  endSessions: 'پایان دادن به همهٔ نشست‌ها',
  endSessionsTitle: 'پایان دادن به همهٔ نشست‌های %{name}',
  endSessionsText: 'این حساب بلافاصله در همهٔ دستگاه‌ها خارج می‌شود و می‌تواند دوباره وارد شود.',
  done: 'انجام شد.',
};
