/** Asks from which business day a version is in force: tomorrow unless another is chosen, or now. */
import { TimeField } from '../design/input/time-field.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { dayBegins, daysBack, toField } from '../zoned.ts';

/** The business day that begins next. */
export const useTomorrow = (): string => {
  const { zone } = useFormat();
  const { from } = daysBack(Date.now(), zone, -1, -1);
  return toField(from, zone).slice(0, 10);
};

/** When a day begins, for the API; null for now. */
export const fromOf = (day: string, zone: string): string | null => dayBegins(day, zone) ?? null;

export const DayField = ({
  value,
  fault,
  onChange,
}: {
  readonly value: string;
  readonly fault: string | undefined;
  readonly onChange: (day: string) => void;
}) => {
  const say = useText();
  const { zone } = useFormat();
  return (
    <TimeField
      kind="day"
      label={say('priceLists.fromDay')}
      help={fault ?? `${say('priceLists.fromDayHelp')} ${say('times.inZone', { zone })}`}
      value={value}
      onChange={onChange}
    />
  );
};
