/** Contains the Persian texts for sign-in. */
import type { signIn as english } from '../en/sign-in.ts';
import type { Same } from '../same.ts';

export const signIn: Same<typeof english> = {
  title: 'ورود',
  name: 'نام کاربری',
  password: 'گذرواژه',
  submit: 'ورود',
  codeTitle: 'ورود دومرحله‌ای',
  codeText: 'شش رقمی را که برنامهٔ احراز هویت نشان می‌دهد بنویسید.',
  code: 'کد',
  codeSubmit: 'ادامه',
  startOver: 'ورود با حسابی دیگر',
  setupTitle: 'تعیین گذرواژه',
  setupText: 'گذرواژه‌ای با ۱۲ تا ۲۵۶ نویسه انتخاب کنید. این پیوند فقط یک بار کار می‌کند.',
  newPassword: 'گذرواژهٔ تازه',
  repeat: 'تکرار گذرواژه',
  mismatch: 'این دو یکسان نیستند.',
  setupSubmit: 'ثبت گذرواژه',
  setupMissing: 'این نشانی پیوند کاملی نیست. پیوند را همان‌گونه که به شما داده شده باز کنید.',
  waitSeconds: 'تعداد تلاش‌ها بیش از حد بود. %{time} صبر کنید و دوباره تلاش کنید.',
};
