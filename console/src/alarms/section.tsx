/** Edits which alarms are sent to people, and where to. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useAct, useRead } from '../api/hooks.ts';
import { CheckboxGroup } from '../clients/checkbox-group.tsx';
import { Form } from '../design/input/form.tsx';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { SecretField } from '../parts/secret-field.tsx';
import { useMay } from '../session.tsx';
import { Channels } from './channels.tsx';
import { type AlarmSettings, faultOf, type Kind, useAlarmDraft } from './draft.ts';
import { MailFields } from './mail-fields.tsx';

const kinds = [
  'operator_down',
  'failures',
  'review',
  'low_balance',
  'credit_used_up',
  'float_approaching',
  'float_low',
  'float_empty',
  'margin_below_zero',
] as const satisfies readonly Kind[];

const NumberField = ({
  label,
  help,
  value,
  wrong,
  onType,
}: {
  readonly label: string;
  readonly help?: string;
  readonly value: string;
  readonly wrong: boolean;
  readonly onType: (text: string) => void;
}) => {
  const say = useText();
  return (
    <TextField
      label={label}
      helperText={wrong ? say('alarms.notPositive') : help}
      error={wrong}
      value={value}
      required
      onChange={({ target }) => onType(target.value)}
      slotProps={{ htmlInput: { inputMode: 'numeric', dir: 'ltr', autoComplete: 'off' } }}
    />
  );
};

const Secret = ({
  made,
  hasWebhook,
}: {
  readonly made: string | null;
  readonly hasWebhook: boolean;
}) => {
  const say = useText();
  const rotate = useAct('rotateAlarmSecret');
  const secret = rotate.data?.webhook_secret ?? made;
  return (
    <>
      {secret === null ? null : <SecretField label={say('alarms.secret')} value={secret} />}
      {hasWebhook && secret === null ? (
        <Box>
          <Button variant="text" loading={rotate.isPending} onClick={() => rotate.mutate({})}>
            {say('alarms.rotate')}
          </Button>
        </Box>
      ) : null}
      <ErrorState error={rotate.error} />
    </>
  );
};

const AlarmForm = ({ settings }: { readonly settings: AlarmSettings }) => {
  const say = useText();
  const { locale } = useFormat();
  const draft = useAlarmDraft(settings, locale);
  const { fields, wrong, error, type } = draft;
  const urlFault = faultOf(error, 'webhook_url');
  return (
    <Form onSubmit={draft.save} label={say('alarms.title')}>
      <CheckboxGroup
        label={say('alarms.kinds')}
        options={kinds.map((value) => ({ value, label: say(`alarms.kind.${value}`) }))}
        chosen={fields.kinds}
        onChoose={(chosen) => type({ kinds: chosen })}
      />
      <NumberField
        label={say('alarms.reviewAtLeast')}
        value={fields.reviewAtLeast}
        wrong={wrong.reviewAtLeast}
        onType={(reviewAtLeast) => type({ reviewAtLeast })}
      />
      <NumberField
        label={say('alarms.pause')}
        help={say('alarms.pauseHelp')}
        value={fields.pause}
        wrong={wrong.pause}
        onType={(pause) => type({ pause })}
      />
      <MailFields
        fields={fields}
        wrongPort={wrong.port}
        hasPassword={settings.mail?.has_password === true}
        type={type}
      />
      <TextField
        label={say('alarms.webhookUrl')}
        helperText={urlFault ?? say('alarms.webhookHelp')}
        error={urlFault !== undefined}
        value={fields.webhookUrl}
        onChange={({ target }) => type({ webhookUrl: target.value })}
        slotProps={{ htmlInput: { dir: 'ltr', spellCheck: false, autoComplete: 'off' } }}
      />
      <Secret made={draft.secret} hasWebhook={settings.webhook_url !== null} />
      <ErrorState error={error} />
      <Box>
        <Button
          type="submit"
          variant="contained"
          loading={draft.isSaving}
          disabled={!draft.isTyped}
        >
          {say('common.save')}
        </Button>
      </Box>
    </Form>
  );
};

export const AlarmSection = () => {
  const say = useText();
  const may = useMay('settings');
  const read = useRead('getAlarmSettings', {}, { enabled: may });
  const { data } = read;
  return (
    <Section title={say('alarms.title')}>
      <Box sx={{ display: 'grid', gap: 3 }}>
        <Typography>{say('alarms.text')}</Typography>
        <Channels />
        <ErrorState error={read.error} retry={() => void read.refetch()} />
        {data ? <AlarmForm settings={data} /> : null}
      </Box>
    </Section>
  );
};
