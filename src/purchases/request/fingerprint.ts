/** Computes the fingerprint of a request, which shows whether a repeated key came with the same fields. */
import { hash } from 'node:crypto';
import type { Fields } from '../decide.ts';

/** The fields that count and their encoding; changing either needs a new number, and the old one kept. */
const version = 1;

export const fingerprintOf = (fields: Fields): string => {
  const counted = [
    fields.path,
    fields.productId,
    fields.mobile,
    fields.price,
    fields.offer === null ? null : [fields.offer.code, fields.offer.type],
    fields.profileId,
    fields.webserviceCode,
  ];
  return `${version}:${hash('sha256', JSON.stringify(counted), 'hex')}`;
};
