/** Shows one operator: health, capabilities, connection test and settings. */
import Alert from '@mui/material/Alert';
import { useParams } from 'react-router';
import { useRead } from '../api/hooks.ts';
import { HistoryLink } from '../audit/history-link.tsx';
import { operatorSubject } from '../audit/subject.ts';
import { DescriptionList } from '../design/data/description-list.tsx';
import { Page } from '../design/page/page.tsx';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { Description } from '../parts/description.tsx';
import { useMay } from '../session.tsx';
import { refetchMs } from './all.tsx';
import { Check } from './check.tsx';
import { FaultsSection } from './faults.tsx';
import { FloatSection } from './float.tsx';
import { Breaker, Health, Since, useFrom } from './health.tsx';
import { useOperatorName } from './names.ts';
import { isSuspendedByGateway, type Operator } from './operator.ts';
import { RoutesSection } from './routes.tsx';
import { SettingsSection } from './settings-section.tsx';
import { SupplierActions } from './supplier-actions.tsx';
import { Suspension } from './suspension.tsx';

const How = ({ operator }: { readonly operator: Operator }) => {
  const say = useText();
  const { count, time } = useFormat();
  const from = useFrom();
  const { suspended, settings_problem: problem } = operator;
  return (
    <Section title={say('operators.how')}>
      {suspended === null ? null : (
        <Alert severity="warning" variant="outlined" role="note" sx={{ mb: 1.5 }}>
          {isSuspendedByGateway(operator)
            ? say('operators.resumeNot')
            : say('operators.suspendedBy', {
                by: suspended.by,
                at: time(suspended.at, 'short'),
                reason: suspended.reason,
              })}
        </Alert>
      )}
      {problem === null ? null : (
        <Alert severity="error" variant="outlined" role="note" sx={{ mb: 1.5 }}>
          <Description text={say('operators.problem', { problem })} />
        </Alert>
      )}
      {operator.simulator ? (
        <Alert severity="info" variant="outlined" role="note" sx={{ mb: 1.5 }}>
          {say('operators.simulated')}
        </Alert>
      ) : null}
      <DescriptionList
        rows={[
          [say('operators.health'), <Health key="health" operator={operator} />],
          [say('operators.since'), <Since key="since" operator={operator} />],
          [say('operators.breaker'), <Breaker key="breaker" operator={operator} />],
          [say('operators.underWay'), count(operator.under_way)],
          [
            say('operators.connector'),
            <bdi key="connector" dir="ltr">
              {operator.connector}
            </bdi>,
          ],
          [say('operators.settingsFrom'), from(operator)],
          ...(operator.kind === 'supplier'
            ? ([
                [say('suppliers.definedIn'), from({ settings_from: operator.defined_in })],
                [
                  say('suppliers.group'),
                  <bdi key="group">{operator.group ?? say('suppliers.noGroup')}</bdi>,
                ],
              ] as const)
            : []),
        ]}
      />
    </Section>
  );
};

const Can = ({ operator: { can, promises } }: { readonly operator: Operator }) => {
  const say = useText();
  const { count, duration } = useFormat();
  const yes = (is: boolean): string => say(is ? 'common.yes' : 'common.no');
  return (
    <Section title={say('operators.can')}>
      <DescriptionList
        rows={[
          [say('operators.canSell'), yes(true)],
          [say('operators.canOffers'), yes(can.offers)],
          [say('operators.canSubscriber'), yes(can.subscriber)],
          [say('operators.canReports'), yes(can.reports)],
          [say('operators.deadline'), duration(promises.deadline_ms)],
          [
            say('operators.settlesWithin'),
            promises.settles_within_ms === null
              ? say('operators.settlesUnknown')
              : duration(promises.settles_within_ms),
          ],
          [say('operators.deduplicates'), yes(promises.deduplicates)],
          [
            say('operators.atOnce'),
            promises.at_once === null ? say('operators.anyNumber') : count(promises.at_once),
          ],
        ]}
      />
    </Section>
  );
};

export const OneOperator = () => {
  const say = useText();
  const nameOf = useOperatorName();
  const { id = '' } = useParams();
  const may = useMay('settings');
  const read = useRead(
    'getOperator',
    { params: { operator_id: id } },
    { refetchInterval: refetchMs },
  );
  const { data: operator } = read;
  return (
    <Page
      title={operator ? nameOf(operator) : say('operators.name')}
      crumbs={[{ label: say('pages.operators'), to: '/operators' }]}
      actions={
        operator ? (
          <>
            <HistoryLink subject={operatorSubject(operator.id)} />
            <SupplierActions supplier={operator} />
            <Suspension operator={operator} />
          </>
        ) : undefined
      }
    >
      <ErrorState error={read.error} retry={() => void read.refetch()} />
      {read.isPending ? <Loading /> : null}
      {operator ? (
        <>
          <How operator={operator} />
          <RoutesSection operator={operator} />
          <FloatSection operator={operator} />
          <Can operator={operator} />
          {may ? <Check id={operator.id} /> : null}
          <SettingsSection
            key={operator.id}
            operator={operator}
            refresh={async () => (await read.refetch()).data ?? operator}
          />
          {operator.faults === null ? null : (
            <FaultsSection
              key={`faults ${operator.id}`}
              operator={operator}
              faults={operator.faults}
            />
          )}
        </>
      ) : null}
    </Page>
  );
};
