/** Validates a purchase's fields from any encoding, and reports all errors at once. */
import { latinDigits } from '../../lib/digits.ts';
import { type FieldErrors, GatewayError } from '../../lib/errors.ts';
import { invalidMobile, isRequired, mobileRule, mustBe } from '../../lib/field-texts.ts';
import { type MobileFormat, readMobile } from '../../lib/mobile.ts';
import { readDecimal, readPlainWhole, readPrice, roundToUnit } from '../../lib/money.ts';
import { persianDigits, type Text } from '../../lib/text.ts';
import type { Fields, PurchasePath } from '../decide.ts';

export type FieldRules = {
  readonly mobile: MobileFormat;
  /** The products that are bought with an offer. */
  readonly personalOffers: readonly number[];
};

type Raw = Readonly<Record<string, unknown>>;

const longestText = 255;

const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Text that every database can store; a number stands for its digits. */
const readText = (value: unknown): string | undefined => {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim();
  const storable = text.isWellFormed() && !text.includes('\0');
  // Characters as people count them: an emoji is two code units and one character.
  const fits = text.length <= longestText || Array.from(text).length <= longestText;
  return storable && fits ? text : undefined;
};

const readProductId = (value: unknown): number | undefined => {
  const plain = readPlainWhole(value);
  if (plain !== undefined) return plain || undefined;
  const decimal = readDecimal(value);
  if (decimal === undefined || decimal.digits % 10n ** BigInt(decimal.scale) !== 0n)
    return undefined;
  const id = roundToUnit(decimal);
  return id === 0 ? undefined : id;
};

/** Collects errors field by field. */
const createReader = (raw: Raw) => {
  const errors: Record<string, readonly Text[]> = {};
  const read = <T>(
    name: string,
    parse: (value: unknown) => T | undefined,
    rule: () => Text,
  ): T | undefined => {
    const value = raw[name];
    const parsed = isAbsent(value) ? undefined : parse(value);
    if (parsed === undefined) {
      errors[name] = [isAbsent(value) ? isRequired(name) : mustBe(name, rule())];
    }
    return parsed;
  };
  return { errors, read };
};

/** A flag, in a form, JSON or a query. */
const readSwitch = (value: unknown): boolean | undefined => {
  if (typeof value === 'boolean') return value;
  const text = readText(value);
  if (text === undefined) return undefined;
  const plain = latinDigits(text).toLowerCase();
  if (plain === '1' || plain === 'true') return true;
  return plain === '0' || plain === 'false' ? false : undefined;
};

const switchRule = (): Text => ({ en: '1 or 0', fa: '1 یا 0' });

const textRule = (): Text => ({
  en: `text of 1 to ${longestText} characters`,
  fa: `متنی با ۱ تا ${persianDigits(longestText)} نویسه`,
});
const productRule = (): Text => ({ en: 'a product ID', fa: 'شناسهٔ محصول' });
const priceRule = (): Text => ({
  en: 'a positive amount such as 33000',
  fa: 'مبلغی مثبت مانند 33000',
});

const refuse = (errors: FieldErrors, format: MobileFormat): GatewayError => {
  const names = Object.keys(errors);
  if (names.length === 1 && names[0] === 'mobile') {
    return new GatewayError('INVALID_MOBILE', { ...invalidMobile(format), errors });
  }
  return new GatewayError('VALIDATION_FAILED', { errors });
};

/** Reads all fields, or throws one error that lists every problem. */
export const readFields = (raw: Raw, path: PurchasePath, rules: FieldRules): Fields => {
  const { errors, read } = createReader(raw);
  const ruleOfMobile = (): Text => mobileRule(rules.mobile);
  const productId = read('product_id', readProductId, productRule);
  const mobile = read('mobile', (value) => readMobile(value, rules.mobile), ruleOfMobile);
  const price = read('price', (value) => readPrice(value) || undefined, priceRule);
  const webserviceCode = read('webservice_code', readText, textRule);
  const withOffer =
    path === 'package' && productId !== undefined && rules.personalOffers.includes(productId);
  const code = withOffer ? read('offerCode', readText, textRule) : undefined;
  const type = withOffer ? read('offerType', readText, textRule) : undefined;
  const profileId = isAbsent(raw['profile_id']) ? null : read('profile_id', readText, textRule);
  const switched = (name: string): boolean | undefined =>
    isAbsent(raw[name]) ? false : read(name, readSwitch, switchRule);
  const allowRepeat = switched('allow_repeat');
  const ported = switched('ported');
  if (
    productId === undefined ||
    mobile === undefined ||
    price === undefined ||
    webserviceCode === undefined ||
    profileId === undefined ||
    allowRepeat === undefined ||
    ported === undefined ||
    (withOffer && (code === undefined || type === undefined))
  ) {
    throw refuse(errors, rules.mobile);
  }
  const offer = code === undefined || type === undefined ? null : { code, type };
  return {
    path,
    productId,
    mobile,
    price,
    offer,
    profileId,
    webserviceCode,
    ...(allowRepeat ? { allowRepeat } : {}),
    ...(ported ? { ported } : {}),
  };
};
