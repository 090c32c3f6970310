/** Owns that a subscriber's number is not told by accident: not in its field, nor within any other text. Pure. */
import { type MobileFormat, maskMobile } from '../../lib/mobile.ts';

/** Masks the number wherever it stands in a text, with the prefix of its country or without. */
export type Hide = (text: string) => string;

export const hiding = (mobile: string, format: MobileFormat): Hide => {
  const own = mobile.slice(format.prefix.length);
  const masked = maskMobile(mobile, format).slice(format.prefix.length);
  return (text) => (own === '' ? text : text.replaceAll(own, masked));
};
