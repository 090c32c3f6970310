/** Contains the Persian texts for the checklist of a new gateway. */
import type { setup as english } from '../en/setup.ts';
import type { Same } from '../same.ts';

export const setup: Same<typeof english> = {
  title: 'شروع کار',
  progress: '%{done} از %{all} انجام شد',
  dismiss: 'پنهان کردن این فهرست',
  done: 'انجام شد',
  password: 'گذرواژهٔ خود را تعیین کنید',
  secondFactor: 'ورود دومرحله‌ای را فعال کنید',
  operator: 'یک اپراتور وصل کنید',
  catalogue: 'کاتالوگ را وارد کنید',
  client: 'یک مشتری بسازید',
  sale: 'نخستین فروش را انجام دهید',
};
