/** Contains the Persian texts for sign-in. */
import type { signIn as english } from '../en/sign-in.ts';
import type { Same } from '../same.ts';

export const signIn: Same<typeof english> = {
  title: 'ورود',
  name: 'نام کاربری',
  password: 'گذرواژه',
  submit: 'ورود',
  codeTitle: 'ورود دومرحله‌ای',
  codeText: 'کد شش‌رقمی برنامهٔ احراز هویت را وارد کنید.',
  code: 'کد',
  codeSubmit: 'ادامه',
  startOver: 'ورود با حسابی دیگر',
  setupTitle: 'تعیین گذرواژه',
  setupText: 'گذرواژه‌ای با ۱۲ تا ۲۵۶ نویسه انتخاب کنید. این پیوند فقط یک بار کار می‌کند.',
  newPassword: 'گذرواژهٔ جدید',
  repeat: 'تکرار گذرواژه',
  mismatch: 'گذرواژه‌ها یکسان نیستند.',
  setupSubmit: 'ثبت گذرواژه',
  setupMissing: 'این پیوند ناقص است. پیوند کامل را باز کنید.',
  waitSeconds: 'تعداد تلاش‌ها بیش از حد بود. %{time} صبر کنید و دوباره تلاش کنید.',
};
