/** Decodes UTF-8 bytes, and rejects invalid ones. Pure. */
import { GatewayError } from './errors.ts';

const decoders = {
  /** A byte order mark at the beginning of a whole text is not part of it. */
  whole: new TextDecoder('utf-8', { fatal: true }),
  part: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }),
};

/** The text of some bytes; throws `MALFORMED_REQUEST` if they are not UTF-8. */
export const decodeUtf8 = (bytes: Uint8Array, as: keyof typeof decoders = 'whole'): string => {
  try {
    return decoders[as].decode(bytes);
  } catch (cause) {
    const message = {
      en: 'The request is not UTF-8. Encode texts as UTF-8 before you send them.',
      fa: 'کدگذاری درخواست UTF-8 نیست. متن‌ها را پیش از ارسال با UTF-8 کدگذاری کنید.',
    };
    throw new GatewayError('MALFORMED_REQUEST', { message }, { cause });
  }
};
