/** Contains the English texts for alerts. */
export const alerts = {
  title: 'Needs attention',
  bell: 'Alerts',
  bellNew: 'Alerts: %{count} new',
  none: 'All is well.',
  reviewOne: '1 purchase needs review',
  review: '%{count} purchases need review',
  reviewBadge: '%{count} need review',
  operator_down: '%{name} is down',
  operator_suspended: '%{name} is suspended',
  failures: '%{count} purchases of %{name} failed in the last five minutes',
  lowOne: '%{name} has a low balance',
  low: '%{count} clients have a low balance',
  since: 'since %{time}',
} as const;
