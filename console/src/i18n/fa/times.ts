/** Contains the Persian texts for date and time fields. */
import type { times as english } from '../en/times.ts';
import type { Same } from '../same.ts';

export const times: Same<typeof english> = {
  inZone: 'به وقت %{zone}.',
  daysInZone: 'روزهای کامل به وقت %{zone}.',
  such: 'مانند %{example}. کلیدهای بالا و پایین آن را تغییر می‌دهند.',
  wrong: 'چنین روزی نیست. مانند %{example} بنویسید.',
};
