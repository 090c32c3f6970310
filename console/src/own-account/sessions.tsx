/** Lists the user's sessions, and ends them. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Answer } from '../api/client.ts';
import { useAct, useRead } from '../api/hooks.ts';
import { browserName } from '../browser-name.ts';
import { Badge } from '../design/data/badge.tsx';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';

type Session = Answer<'listMySessions'>['data'][number];

const listed = { changes: ['listMySessions'] } as const;

const useColumns = (end: (session: Session) => void): readonly Column<Session>[] => {
  const say = useText();
  const { time } = useFormat();
  return [
    {
      key: 'address',
      label: say('safety.address'),
      cell: ({ address }) => <bdi dir="ltr">{address}</bdi>,
    },
    {
      key: 'agent',
      wrap: true,
      label: say('safety.browser'),
      cell: ({ agent }) => (
        <Box component="bdi" dir="ltr" title={agent} sx={{ overflowWrap: 'anywhere' }}>
          {agent === '' ? say('common.none') : browserName(agent)}
        </Box>
      ),
    },
    { key: 'since', label: say('safety.since'), cell: ({ created_at: at }) => time(at, 'short') },
    { key: 'used', label: say('safety.lastUsed'), cell: ({ seen_at: at }) => time(at, 'short') },
    {
      key: 'end',
      phone: 'actions',
      label: say('common.actions'),
      cell: (session) =>
        session.current ? (
          <Badge tone="good" label={say('safety.thisSession')} />
        ) : (
          <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
            {session.code_needed ? (
              <Badge tone="attention" label={say('safety.waitsForCode')} />
            ) : null}
            <Button size="small" color="error" onClick={() => end(session)}>
              {say('safety.end')}
            </Button>
          </Box>
        ),
    },
  ];
};

/** Asks before all other sessions are ended. */
const EndOthers = ({ onClose }: { readonly onClose: () => void }) => {
  const say = useText();
  const done = useDone();
  const end = useAct('endMyOtherSessions', listed);
  const ended = (): void => {
    done('safety.ended');
    onClose();
  };
  return (
    <ConfirmDialog
      open
      danger
      title={say('safety.endOthers')}
      text={say('safety.endOthersText')}
      confirm={say('safety.endOthers')}
      busy={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate({}, { onSuccess: ended })}
      onClose={onClose}
    />
  );
};

export const Sessions = () => {
  const say = useText();
  const done = useDone();
  const list = useRead('listMySessions', {});
  const endOne = useAct('endMySession', listed);
  const [asking, setAsking] = useState(false);
  const columns = useColumns(({ id }) =>
    endOne.mutate({ params: { session_id: id } }, { onSuccess: () => done('safety.ended') }),
  );
  const rows = list.data?.data ?? [];
  return (
    <Section title={say('safety.sessions')}>
      <Typography sx={{ mb: 2 }}>{say('safety.sessionsText')}</Typography>
      <ErrorState error={list.error ?? endOne.error} retry={() => void list.refetch()} />
      {list.isPending ? <Loading /> : null}
      {rows.length === 0 ? null : (
        <Table name={say('safety.sessions')} columns={columns} rows={rows} keyOf={({ id }) => id} />
      )}
      {rows.length < 2 ? null : (
        <Button color="error" variant="outlined" sx={{ mt: 2 }} onClick={() => setAsking(true)}>
          {say('safety.endOthers')}
        </Button>
      )}
      {asking ? <EndOthers onClose={() => setAsking(false)} /> : null}
    </Section>
  );
};
