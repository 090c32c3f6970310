/** Tests the connection to an operator, and puts the result into words. */
import { causeText } from '../../connector/cause.ts';
import type { StatusOutcome } from '../../connector/connector.ts';
import { withoutSecrets } from '../../connector/settings/mask.ts';
import { showCode } from '../../lib/json/show-value.ts';
import type { Text } from '../../lib/text.ts';
import type { Operator } from '../../operators/registry.ts';
import type { OperatorAdminDeps } from './change.ts';

type Tested = { readonly ok: boolean; readonly words: Text };

/** An operator's own words stay as they are, without secrets. */
const said = (outcome: StatusOutcome, mask: (text: string) => string): Tested => {
  switch (outcome.kind) {
    case 'not_found': {
      const en = 'It answered, and knows no such order, as it should be.';
      return { ok: true, words: { en, fa: 'پاسخ داد و همان‌طور که باید، چنین سفارشی ندارد.' } };
    }
    case 'refused': {
      const reason = mask(outcome.reason);
      const en = `It answered, and refused: ${reason}`;
      return { ok: true, words: { en, fa: `پاسخ داد و رد کرد: ${showCode(reason)}` } };
    }
    case 'unknown': {
      const { cause } = outcome;
      const detail = mask(outcome.detail);
      const fa = cause === undefined ? showCode(detail) : mask(causeText(cause).fa);
      const en = `It gave no usable answer: ${detail}.`;
      return { ok: false, words: { en, fa: `پاسخ قابل استفاده‌ای نداد: ${fa}.` } };
    }
    default: {
      const en = `It answered, but reports an order that was never sent: ${outcome.kind}.`;
      const fa = `پاسخ داد، ولی سفارشی را گزارش کرد که هرگز فرستاده نشده است: ${showCode(outcome.kind)}.`;
      return { ok: false, words: { en, fa } };
    }
  }
};

const takesNoInquiries: Tested = {
  ok: true,
  words: {
    en: 'It takes no inquiries, so nothing was sent: only an order shows whether it answers.',
    fa: 'این اپراتور استعلام ندارد و چیزی فرستاده نشد؛ فقط با سفارش می‌توان دید که پاسخ می‌دهد یا نه.',
  },
};

/** Inquires about an order that was never sent, and returns what came back. */
export const testConnection = async (
  deps: OperatorAdminDeps,
  { id, connector, connection }: Operator,
): Promise<Tested> => {
  const { status } = connection;
  if (typeof status !== 'function') return takesNoInquiries;
  const ref = deps.newId();
  const { call, live } = deps.operators;
  const result = await call(connection.deadlineMs, () => status(ref));
  const { settings = {} } = live.inUse(id) ?? {};
  return said(result.kind === 'answer' ? result.value : result, (text) =>
    withoutSecrets(connector, settings, text),
  );
};
