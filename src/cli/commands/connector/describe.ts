/** Describes a connector in words: its settings, promises and what should be improved. Pure. */
import type { Connector, Promises } from '../../../connector/connector.ts';
import { type FormField, formOf } from '../../../connector/settings/form.ts';

const wordsOf = ({ name, required, secret, default: standard }: FormField): string => {
  const words = [
    ...(required ? ['required'] : []),
    ...(secret ? ['secret'] : []),
    ...(standard === null ? [] : [`default ${JSON.stringify(standard)}`]),
  ];
  return words.length === 0 ? name : `${name} (${words.join(', ')})`;
};

/** Each promise as a sentence, and those that are missing. */
export const promiseWords = ({
  settlesWithin,
  deduplicates,
  ordersTellSubscriber,
  inquiries,
}: Promises): string[] => [
  settlesWithin === undefined
    ? '"No such order" is never proof: settlesWithin is not declared.'
    : `"No such order" is proof ${settlesWithin} ms after the deadline.`,
  deduplicates === true
    ? 'A repeated reference is not delivered again.'
    : 'A repeated reference may be delivered again.',
  ...(ordersTellSubscriber === true
    ? ['An order for the wrong subscriber or SIM is refused, so that no question precedes it.']
    : []),
  ...(inquiries === undefined
    ? []
    : [
        `Inquiries: first after ${inquiries.firstInquiryMs} ms, at most ${inquiries.widestInquiryMs} ms apart, review after ${inquiries.reviewAfterMs} ms.`,
      ]),
];

export const settingWords = ({ settings }: Pick<Connector, 'settings'>): string[] =>
  formOf(settings).map((field) => {
    const about = field.description === '' ? '' : `: ${field.description}`;
    return `${wordsOf(field)}${about}`;
  });

const soundsSecret = /pin|passw|secret|token|key/i;

/** Declarations that work but are probably mistakes. */
export const adviceFor = ({ settings, identifiedBy }: Connector): string[] => {
  const fields = formOf(settings);
  const secrets = new Set(fields.filter(({ secret }) => secret).map(({ name }) => name));
  return [
    ...fields
      .filter(({ description }) => description === '')
      .map(({ name }) => `The setting "${name}" has no description for the console.`),
    ...fields
      .filter(({ name, secret }) => !secret && soundsSecret.test(name))
      .map(({ name }) => `The setting "${name}" sounds like a secret: mark it with secret: true.`),
    ...(identifiedBy === undefined
      ? ['"identifiedBy" is missing: every changed setting sends open purchases to review.']
      : []),
    ...(identifiedBy ?? [])
      .filter((name) => secrets.has(name))
      .map((name) => `"identifiedBy" names the secret "${name}": a rotated one ends all proof.`),
  ];
};
