/** Draws the console's icons: lines two units thick with round ends, on a grid of 24 by 24. */
import SvgIcon, { type SvgIconProps } from '@mui/material/SvgIcon';

const ring = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

/** A dot wider than a line: a small ring, and a point that fills it. */
const dot = (x: number, y: number): string => `${ring(x, y, 0.75)}M${x} ${y}h0`;

export const drawn = (...lines: readonly string[]) => {
  const path = lines.join('');
  const Icon = (props: SvgIconProps) => (
    <SvgIcon {...props}>
      {/* SvgIcon's fill is a style of the whole, which only an attribute here overrides. */}
      <path
        d={path}
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </SvgIcon>
  );
  return Icon;
};

const disc = ring(12, 12, 9);

/** Thicker, for the small marks beside a text. */
const marked = (path: string) => {
  const Mark = () => (
    <SvgIcon>
      <path
        d={path}
        fill="none"
        stroke="currentColor"
        strokeWidth={3.5}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </SvgIcon>
  );
  return Mark;
};

export const TickMark = marked('M4 13l5 5l11 -12');
export const CrossMark = marked('M6 6l12 12M18 6l-12 12');
export const ExclamationMark = marked('M12 4v10M12 20h0');
export const DotMark = marked(`${ring(12, 12, 3)}M12 12h0`);
export const UpMark = marked('M12 20v-16M5 11l7 -7l7 7');
export const DownMark = marked('M12 4v16M5 13l7 7l7 -7');
export const FlatMark = marked('M5 12h14');

export const CloseIcon = drawn('M6 6l12 12M18 6l-12 12');
export const SearchIcon = drawn(ring(11, 11, 6.5), 'M16 16l4.5 4.5');
export const FilterIcon = drawn('M4 6h16M7 12h10M10 18h4');
export const ColumnsIcon = drawn('M4 5h16v14h-16z', 'M9.3 5v14M14.6 5v14');
export const ExpandIcon = drawn('M7 10l5 5l5 -5');
export const EmptyIcon = drawn('M4 13l3 -8h10l3 8v6h-16z', 'M4 13h5l1.5 2.5h3l1.5 -2.5h5');
export const SignOutIcon = drawn('M14 4h5v16h-5', 'M4 12h10M10.5 8.5l3.5 3.5l-3.5 3.5');

export const AddIcon = drawn('M12 5v14M5 12h14');
export const MenuIcon = drawn('M4 6h16M4 12h16M4 18h16');
export const MoreIcon = drawn(dot(12, 5), dot(12, 12), dot(12, 19));
export const CopyIcon = drawn('M9 9h11v11h-11z', 'M15 5v-1h-11v11h1');
export const DownloadIcon = drawn('M12 4v11M7 10l5 5l5 -5M5 20h14');
export const ShowIcon = drawn(
  'M2 12c2.5 -4.5 6 -7 10 -7s7.5 2.5 10 7c-2.5 4.5 -6 7 -10 7s-7.5 -2.5 -10 -7z',
  ring(12, 12, 3),
);

export const CheckIcon = drawn(disc, 'M8 12.5l3 3l5 -6');
export const CancelIcon = drawn(disc, 'M9 9l6 6M15 9l-6 6');
export const InfoIcon = drawn(disc, 'M12 11.5v4.5', dot(12, 8));
export const WarningIcon = drawn('M12 4l9.5 16h-19z', 'M12 10v4', dot(12, 17));

export const LanguageIcon = drawn(disc, 'M3 12h18', 'M12 3c-5 5 -5 13 0 18c5 -5 5 -13 0 -18z');
export const ThemeIcon = drawn(disc, 'M12 8a4 4 0 0 1 0 8z', 'M13.75 10.75v2.5');
export const AccountIcon = drawn(disc, ring(12, 10, 3), 'M6 18.5c1.5 -2 3.5 -3 6 -3s4.5 1 6 3');

export const OverviewIcon = drawn('M4 4h6v8h-6zM4 16h6v4h-6z', 'M14 4h6v4h-6zM14 12h6v8h-6z');
export const PurchasesIcon = drawn(
  'M5 3h14v18l-3.5 -2.5l-3.5 2.5l-3.5 -2.5l-3.5 2.5z',
  'M9 8h6M9 12.5h6',
);
export const ClientsIcon = drawn(
  ring(12, 8, 3),
  'M6 20v-1c0 -3 2 -5 6 -5s6 2 6 5v1',
  'M5.5 5.5a3 3 0 0 0 0 5M2 18v-.5c0 -1.5 .5 -2.5 1.5 -3.3',
  'M18.5 5.5a3 3 0 0 1 0 5M22 18v-.5c0 -1.5 -.5 -2.5 -1.5 -3.3',
);
export const CatalogueIcon = drawn(
  'M12 3l4.5 7h-9z',
  'M4 14h6.5v6.5h-6.5z',
  ring(17.5, 17.25, 3.25),
);
export const OperatorsIcon = drawn(
  'M12 10l-4 11M12 10l4 11M9.5 17.5h5',
  'M8.5 13.5a5 5 0 0 1 0 -7M15.5 6.5a5 5 0 0 1 0 7',
  'M5.6 16.4a9 9 0 0 1 0 -12.8M18.4 3.6a9 9 0 0 1 0 12.8',
);
export const AccountsIcon = drawn(
  ring(10, 7.5, 3.5),
  'M3 20v-.5c0 -3 2 -5 5 -5h2',
  ring(15, 18, 2),
  'M17 18h5v2M19.5 18v1.5',
);
export const AuditIcon = drawn('M4 4v4.5h4.5', 'M4.5 8.5a8.3 8.3 0 1 1 -.8 3.5', 'M12 8v4.5l3 2');
export const SettingsIcon = drawn(
  ring(12, 12, 6),
  ring(12, 12, 2),
  'M12 3v3M12 18v3M3 12h3M18 12h3',
  'M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M5.6 18.4l2.1 -2.1M16.3 7.7l2.1 -2.1',
);
export const OwnAccountIcon = drawn(ring(12, 8, 4), 'M4 20c.5 -3.5 3.5 -5 8 -5s7.5 1.5 8 5z');

export const DocsIcon = drawn(
  ring(12, 12, 9),
  'M9.5 9.3a2.5 2.5 0 1 1 3.5 2.3q-1 .5 -1 1.7',
  dot(12, 16.5),
);
export const AskIcon = drawn(
  'M3 4h18v13h-10l-5 4v-4h-3z',
  'M10 8.8a2 2 0 1 1 2.7 1.9q-.7 .3 -.7 1',
  dot(12, 14),
);
export const DecideIcon = drawn('M13 3l6 6l-4 4l-6 -6z', 'M12 10l-8 8', 'M12 21h9');
