/** Tests the connection to an operator and shows the result. */
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useAct } from '../api/hooks.ts';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { useText } from '../i18n/text.ts';
import { Description } from '../parts/description.tsx';

export const Check = ({ id }: { readonly id: number }) => {
  const say = useText();
  const check = useAct('checkOperator');
  const { data } = check;
  return (
    <Section title={say('operators.check')}>
      <Box sx={{ display: 'grid', gap: 1.5, justifyItems: 'start' }}>
        <Typography>{say('operators.checkText')}</Typography>
        <Button
          variant="outlined"
          loading={check.isPending}
          onClick={() => check.mutate({ params: { operator_id: String(id) } })}
        >
          {say('operators.check')}
        </Button>
        <Box role="status" sx={{ minWidth: 0, maxWidth: '100%' }}>
          {data === undefined || check.isPending ? null : (
            <Alert
              severity={data.ok ? 'success' : 'warning'}
              variant="outlined"
              role="presentation"
            >
              <AlertTitle>
                {say(data.ok ? 'operators.checkOk' : 'operators.checkFailed')}
              </AlertTitle>
              {say('operators.checkWords')} <Description text={data.words} />
            </Alert>
          )}
        </Box>
        <ErrorState error={check.error} />
      </Box>
    </Section>
  );
};
