/** Formats a credential change as one line of text. */
import type { Answer } from '../api/client.ts';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';

export type Notice = Answer<'listMyNotices'>['data'][number];

export const useNoticeLine = (): ((notice: Notice) => string) => {
  const say = useText();
  const { time } = useFormat();
  return ({ action, at, address, actor }) => {
    const what = say(`safety.notices.${action}`);
    return address === null
      ? say('safety.lineByCommand', { what, time: time(at, 'short'), actor })
      : say('safety.line', { what, time: time(at, 'short'), address });
  };
};
