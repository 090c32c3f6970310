/** Shows one purchase in detail, for the API's document. */
import type { Static } from 'typebox';
import { exampleTime } from '../wire.ts';
import { type DetailSchema, exampleRow } from './wire.ts';

export const exampleDetail: Static<typeof DetailSchema> = {
  ...exampleRow,
  offer_code: null,
  offer_type: null,
  profile_id: null,
  request_id: '019a8f3e-6c1c-7a10-8b55-2c1d0f9e8a44',
  attempts: 1,
  supplier_id: 2,
  cost: { by_rule: 397_100, told: 396_000, amount: 396_000, margin: 5_280, learnt: [] },
  left: [],
  inquiries: 0,
  due_at: null,
  operator_ref: 'r-20260131-77',
  answer: { status: 200, body: '{"message":"The purchase was successful."}' },
  timeline: [
    {
      at: exampleTime,
      kind: 'held and submitted',
      fact: { code: 'attempt', values: { attempt: 1 } },
    },
    { at: exampleTime, kind: 'succeeded', fact: null },
  ],
  callbacks: [
    {
      at: exampleTime,
      last_at: exampleTime,
      times: 1,
      says: 'delivered',
      message: 'POST application/json\n{"state":"served"}',
    },
  ],
  postings: [
    {
      seq: 2,
      at: exampleTime,
      kind: 'hold',
      from: 'available',
      to: 'held',
      amount: 418_000,
      available_after: 582_000,
      held_after: 418_000,
    },
  ],
  messages: [],
  decisions: [],
  may: { inquire: false, resolve: false },
};
