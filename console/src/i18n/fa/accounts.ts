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
  factor: 'عامل دوم',
  factorOn: 'فعال',
  factorOff: 'غیرفعال',
  signedIn: 'آخرین ورود',
  never: 'هرگز',
  you: '%{name} (شما)',
  actionsOf: 'عملیات %{name}',
  create: 'حساب تازه',
  createText: 'پیوندی می‌گیرید که صاحب حساب با آن یک بار و ظرف یک روز گذرواژه تعیین می‌کند.',
  createSubmit: 'ساختن حساب',
  nameHelp: '۲ تا ۶۴ نویسه: حروف a تا z و رقم، و پس از نویسهٔ نخست . _ @ - هم مجاز است.',
  link: 'پیوند',
  linkTitle: 'پیوند برای %{name}',
  linkText:
    'این پیوند را از راهی برسانید که کس دیگری آن را نمی‌خواند. فقط یک بار و تا %{until} کار می‌کند.',
  changeRole: 'تغییر نقش',
  changeRoleTitle: 'تغییر نقش %{name}',
  changeRoleText: 'همهٔ نشست‌های این حساب پایان می‌یابد و صاحب آن با نقش تازه دوباره وارد می‌شود.',
  disable: 'غیرفعال کردن',
  disableTitle: 'غیرفعال کردن %{name}',
  disableText:
    'این حساب دیگر اجازهٔ ورود ندارد و همهٔ نشست‌هایش هم‌اکنون پایان می‌یابد. این کار برگشت‌پذیر است.',
  enable: 'فعال کردن دوباره',
  enableTitle: 'فعال کردن دوبارهٔ %{name}',
  enableText: 'این حساب با همان گذرواژه‌ای که داشت دوباره می‌تواند وارد شود.',
  newLink: 'پیوند تازه',
  newLinkTitle: 'پیوند تازه برای %{name}',
  newLinkText:
    'گذرواژهٔ کنونی و همهٔ نشست‌ها هم‌اکنون پایان می‌یابد. با پیوند تازه گذرواژهٔ تازه‌ای تعیین می‌شود.',
  newLinkSubmit: 'ساختن پیوند تازه',
  resetFactor: 'برداشتن عامل دوم',
  resetFactorTitle: 'برداشتن عامل دوم %{name}',
  resetFactorText:
    'برای کسی که تلفنش را گم کرده است. اگر گذرکلیدی نباشد، از آن پس تنها گذرواژه کافی است. همهٔ نشست‌ها هم‌اکنون پایان می‌یابد.',
  resetPasskeys: 'حذف همهٔ گذرکلیدها',
  resetPasskeysTitle: 'حذف همهٔ گذرکلیدهای %{name}',
  resetPasskeysText:
    'برای کسی که آن‌ها را گم کرده است. بدون کد برنامه، تنها گذرواژه کافی است و همهٔ نشست‌ها هم‌اکنون پایان می‌یابد.',
  endSessions: 'پایان دادن به همهٔ نشست‌ها',
  endSessionsTitle: 'پایان دادن به همهٔ نشست‌های %{name}',
  endSessionsText: 'هر کس با این حساب وارد شده است بی‌درنگ خارج می‌شود و می‌تواند دوباره وارد شود.',
  done: 'انجام شد.',
};
