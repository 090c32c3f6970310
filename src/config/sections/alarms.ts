/** Defines the settings of alarms that only the configuration has: the private networks they may reach. */
import { type Static, Type } from 'typebox';
import { group } from './shapes.ts';

export const AlarmsSchema = Type.Object(
  {
    allowedNetworks: Type.Array(Type.String(), {
      default: [],
      description:
        'Private addresses and networks of your mail server and of the receiver of alarms, also without TLS.',
    }),
  },
  { ...group, description: 'Alarms to people.' },
);

export type AlarmsConfig = Readonly<Static<typeof AlarmsSchema>>;
