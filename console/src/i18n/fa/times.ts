/** Contains the Persian texts for date and time fields. */
import type { times as english } from '../en/times.ts';
import type { Same } from '../same.ts';

export const times: Same<typeof english> = {
  inZone: 'منطقهٔ زمانی: %{zone}.',
  daysInZone: 'روزهای کامل. منطقهٔ زمانی: %{zone}.',
  such: 'مانند %{example}. کلیدهای بالا و پایین آن را تغییر می‌دهند.',
  wrong: 'این تاریخ معتبر نیست. مانند %{example} وارد کنید.',
  calendar: 'تقویم',
};
